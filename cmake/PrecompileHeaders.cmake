# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Much of a cold build goes into parsing the same headers of libraries in every source.

# sinew_precompile(TARGET HEADER...): of libraries only. A change to one of ours would build everything anew.
function(sinew_precompile target)
  if(SINEW_PRECOMPILE_HEADERS)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cmath> <cstddef> <cstdint> <filesystem> <functional> <limits> <map> <memory> <optional>
      <set> <span> <string> <string_view> <utility> <variant> <vector>
      <Eigen/Core> <Eigen/Geometry> <Eigen/LU> <Eigen/SparseCore> ${ARGN})
  endif()
endfunction()
