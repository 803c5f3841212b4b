// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model/mesh.h"

namespace sinew::test {

/// A closed ball of `rings` belts of twice as many quads, faces outward.
[[nodiscard]] MeshData round_ball(const Vec3& centre, double radius, int rings = 24);

/// A closed ring around the z axis, faces outward.
[[nodiscard]] MeshData ring(double major_radius, double minor_radius, int sides = 32);

/// A closed box of twelve triangles, faces outward. The last two are its top, z = high.z().
[[nodiscard]] MeshData box_data(const Vec3& low, const Vec3& high);
/// The same without its top.
[[nodiscard]] MeshData open_box(const Vec3& low, const Vec3& high);

/// Closed, round and upright: from y = 0 to `height`, around a vertical axis through (x, z).
[[nodiscard]] MeshData cylinder(double x, double z, double radius, double height, int sides = 32);

/// Faces the other way.
[[nodiscard]] MeshData inside_out(MeshData data);
/// At -x, faces as before.
[[nodiscard]] MeshData mirrored(MeshData data);

}  // namespace sinew::test
