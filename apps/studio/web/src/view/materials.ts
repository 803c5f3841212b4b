// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';

/// One small shader instead of three's standard one: colours that stand for numbers must come out
/// as the legend shows them, so the light only dims them a little, and nothing converts colour
/// spaces.

const kVertex = /* glsl */ `
  attribute vec3 tint;
  varying vec3 vTint;
  varying vec3 vNormal;
  varying vec3 vPlace;
  varying vec2 vUv;
  #include <clipping_planes_pars_vertex>
  void main() {
    vTint = tint;
    vUv = uv;
    vNormal = normalMatrix * normal;
    vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
    vPlace = mvPosition.xyz;
    gl_Position = projectionMatrix * mvPosition;
    #include <clipping_planes_vertex>
  }
`;

/// How much of a line along the edges of a unit square is seen; lines fade where squares are as
/// small as pixels.
const kEdge = /* glsl */ `
  float edge(vec2 place) {
    vec2 wide = fwidth(vUv);
    vec2 away = min(place, 1.0 - place) / wide;
    float line = 1.0 - smoothstep(0.1, 0.7, min(away.x, away.y));
    return line * (1.0 - smoothstep(0.06, 0.3, max(wide.x, wide.y)));
  }
`;

const kFragment = /* glsl */ `
  uniform vec3 base;
  uniform float data;      // 1: the vertex colour is a number's; 0: plain surface
  uniform float textured;
  uniform float clipped;   // alpha below this is a hole
  uniform float lined;     // 1: lines where a texture coordinate is a whole number
  uniform sampler2D map;
  varying vec3 vTint;
  varying vec3 vNormal;
  varying vec3 vPlace;
  varying vec2 vUv;
  #include <clipping_planes_pars_fragment>
  ${kEdge}
  void main() {
    #include <clipping_planes_fragment>
    vec3 n = normalize(vNormal);
    if (!gl_FrontFacing) n = -n;
    vec3 eye = normalize(-vPlace);
    float key = max(dot(n, normalize(vec3(0.45, 0.65, 0.75))), 0.0);
    float fill = max(dot(n, normalize(vec3(-0.8, 0.1, 0.45))), 0.0);
    float sky = 0.5 + 0.5 * n.y;
    float rim = pow(1.0 - max(dot(n, eye), 0.0), 3.0);
    vec3 surface = base;
    if (textured > 0.5) {
      vec4 texel = texture2D(map, vUv);
      if (texel.a < clipped) discard;
      surface *= texel.rgb;
    }
    vec3 plain = surface * (0.34 + 0.52 * key + 0.14 * fill + 0.16 * sky) + 0.10 * rim;
    vec3 number = vTint * (0.58 + 0.36 * key + 0.08 * fill + 0.08 * sky) + 0.05 * rim;
    if (lined > 0.5) number *= 1.0 - 0.25 * edge(fract(vUv));
    gl_FragColor = vec4(mix(plain, number, data), 1.0);
  }
`;

export function surfaceMaterial(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: kVertex,
    fragmentShader: kFragment,
    side: THREE.DoubleSide,
    clipping: true,
    polygonOffset: true, // so that wires lie on the surface
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
    uniforms: {
      base: { value: new THREE.Vector3(0.79, 0.77, 0.74) },
      data: { value: 0 },
      textured: { value: 0 },
      clipped: { value: 0 },
      lined: { value: 0 },
      map: { value: null },
    },
  });
}

const kCellVertex = /* glsl */ `
  attribute vec3 corner;  // the least one of the cube
  attribute vec3 tint;
  varying vec3 vTint;
  varying vec2 vUv;
  #include <clipping_planes_pars_vertex>
  void main() {
    // Every side has its shade, so that steps are seen from wherever one looks.
    float shade = normal.y > 0.5 ? 1.0 : normal.y < -0.5 ? 0.5 : abs(normal.z) > 0.5 ? 0.86 : 0.68;
    vTint = shade * tint;
    vUv = uv;
    vec4 mvPosition = modelViewMatrix * vec4(corner + position, 1.0);
    gl_Position = projectionMatrix * mvPosition;
    #include <clipping_planes_vertex>
  }
`;

const kCellFragment = /* glsl */ `
  varying vec3 vTint;
  varying vec2 vUv;
  #include <clipping_planes_pars_fragment>
  ${kEdge}
  void main() {
    #include <clipping_planes_fragment>
    gl_FragColor = vec4(vTint * (1.0 - 0.45 * edge(vUv)), 1.0);
  }
`;

export function cellMaterial(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: kCellVertex,
    fragmentShader: kCellFragment,
    side: THREE.DoubleSide, // where a slice opens a cube
    clipping: true,
  });
}

export function wireMaterial(): THREE.LineBasicMaterial {
  return new THREE.LineBasicMaterial({
    color: 0x000000,
    transparent: true,
    opacity: 0.28,
    toneMapped: false,
  });
}
