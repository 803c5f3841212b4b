// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
import { ColorManagement } from 'three';

/// Colours are sRGB from end to end: a legend and the surface beside it must match. Imported before
/// the first colour is made, since three converts when it makes one.
ColorManagement.enabled = false;
