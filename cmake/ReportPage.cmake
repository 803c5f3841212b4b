# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# The page that `sinew report` puts its data into: built from apps/studio/web with Node.js and compiled into the
# library, so that one binary makes reports anywhere. SINEW_REPORT_PAGE_SOURCE is the C++ source that holds it.
set(SINEW_REPORT_PAGE ${PROJECT_BINARY_DIR}/report/report.html)
set(SINEW_REPORT_PAGE_SOURCE ${PROJECT_BINARY_DIR}/report/report_page.cpp)

if(SINEW_WITH_REPORT)
  find_program(SINEW_NODE NAMES node nodejs)
  find_program(SINEW_NPM NAMES npm)
  if(NOT SINEW_NODE OR NOT SINEW_NPM)
    message(FATAL_ERROR "The page of `sinew report` is built with Node.js and npm, which are not here. "
      "Install them (script/bootstrap build does), or build without it: -DSINEW_WITH_REPORT=OFF")
  endif()
  set(web ${PROJECT_SOURCE_DIR}/apps/studio/web)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${web}/src/*)
  set(packages ${PROJECT_BINARY_DIR}/report/packages.stamp)
  add_custom_command(OUTPUT ${packages}
    COMMAND ${web}/scripts/install-packages
    COMMAND ${CMAKE_COMMAND} -E touch ${packages}
    DEPENDS ${web}/package-lock.json ${web}/scripts/install-packages
    COMMENT "Installing the npm packages of the report's page" VERBATIM)
  add_custom_command(OUTPUT ${SINEW_REPORT_PAGE}
    COMMAND ${SINEW_NPM} run --silent build -- --logLevel warn --emptyOutDir false
            --outDir ${PROJECT_BINARY_DIR}/report
    WORKING_DIRECTORY ${web}
    DEPENDS ${packages} ${page_sources} ${web}/report.html ${web}/package.json ${web}/tsconfig.json
            ${web}/vite.config.mjs
    COMMENT "Building the report's page" VERBATIM)
  add_custom_command(OUTPUT ${SINEW_REPORT_PAGE_SOURCE}
    COMMAND ${SINEW_NODE} ${web}/scripts/embed-page.mjs ${SINEW_REPORT_PAGE} ${SINEW_REPORT_PAGE_SOURCE}
    DEPENDS ${SINEW_REPORT_PAGE} ${web}/scripts/embed-page.mjs
    COMMENT "Turning the report's page into a source" VERBATIM)
else()
  file(CONFIGURE OUTPUT ${SINEW_REPORT_PAGE_SOURCE} @ONLY CONTENT
"// Made by cmake/ReportPage.cmake: this build has no page for reports.
#include \"sinew/report/report.h\"

std::string_view sinew::report_page() { return {}; }
")
endif()
