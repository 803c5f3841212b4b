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
  void main() {
    vTint = tint;
    vUv = uv;
    vNormal = normalMatrix * normal;
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    vPlace = place.xyz;
    gl_Position = projectionMatrix * place;
  }
`;

const kFragment = /* glsl */ `
  uniform vec3 base;
  uniform float data;      // 1: the vertex colour is a number's; 0: plain surface
  uniform float textured;
  uniform float clipped;   // alpha below this is a hole
  uniform sampler2D map;
  varying vec3 vTint;
  varying vec3 vNormal;
  varying vec3 vPlace;
  varying vec2 vUv;
  void main() {
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
    gl_FragColor = vec4(mix(plain, number, data), 1.0);
  }
`;

export function surfaceMaterial(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: kVertex,
    fragmentShader: kFragment,
    side: THREE.DoubleSide,
    polygonOffset: true, // so that wires lie on the surface
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
    uniforms: {
      base: { value: new THREE.Vector3(0.79, 0.77, 0.74) },
      data: { value: 0 },
      textured: { value: 0 },
      clipped: { value: 0 },
      map: { value: null },
    },
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
