#pragma once
#include <lcms2.h>

// Pixel formats are built by function-like macros, which Swift does not see.
static const cmsUInt32Number pinpost_rgb = TYPE_RGB_8;
static const cmsUInt32Number pinpost_rgba = TYPE_RGBA_8;
static const cmsUInt32Number pinpost_cmyk = TYPE_CMYK_8;
static const cmsUInt32Number pinpost_cmyk_inverted = TYPE_CMYK_8_REV;
