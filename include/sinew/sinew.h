// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

/// sinew, from the top. Each header here tells its own contract; the rest of include/sinew is what
/// these stand on, lowest room first in CONTRIBUTING.md. Everything is in the namespace sinew,
/// fails by a Result with a place, never prints, and gives the same bits for any number of threads.

// A file in, a judged file out: what the command line, a server or a script calls.
#include "sinew/jobs/bind_job.h"        // run_bind_job: weights for the characters of a file
#include "sinew/jobs/copy_job.h"        // run_copy_job: another format, all else as it was
#include "sinew/jobs/fit_joints_job.h"  // run_fit_joints_job: joints where turning distorts least
#include "sinew/jobs/inspect_job.h"     // run_inspect_job: what is there, and how good it is
#include "sinew/jobs/pose_job.h"        // run_pose_job: a frame of a clip, frozen
#include "sinew/jobs/report_job.h"      // run_report_job: a page to look at
#include "sinew/jobs/volume_job.h"      // run_volume_job: the inside of a mesh, for other programs

// A character in memory: from arrays, or from a document that is edited in place.
#include "sinew/gltf/gltf_character.h"  // read_characters, write_weights
#include "sinew/gltf/gltf_document.h"   // read_gltf, write_gltf
#include "sinew/model/character.h"      // Character: mesh, skeleton, weights, clips

// One character's weights, joints and figures, without files.
#include "sinew/bind/bind.h"          // bind: weights for every vertex
#include "sinew/bind/fit_joints.h"    // fit_joints: joints and weights by turns
#include "sinew/edit/edit_session.h"  // EditSession: an artist's edits while weights are optimised
#include "sinew/quality/weight_judge.h"  // WeightJudge: arap, follow, drift, lost bones

// Every frame.
#include "sinew/deform/dual_quaternion_blend.h"  // dual quaternion skinning
#include "sinew/deform/linear_blend.h"           // linear blend skinning
