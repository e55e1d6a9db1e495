// A photo made small enough to send quickly; a file that this browser cannot open (HEIC in most) is sent unchanged.

const LONG_SIDE = 2000; // pixels: as many as the page shows, and more than reading needs (1600)
const SMALL = 1_500_000; // bytes: smaller files are sent as they are
const QUALITY = 0.9;

/**
 * @param {File} file
 * @returns {Promise<Blob>}
 */
export async function shrink(file) {
  if (file.size < SMALL) return file;
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const blob = await jpegOf(bitmap, bitmap.width, bitmap.height, LONG_SIDE, QUALITY);
    bitmap.close();
    return blob && blob.size < file.size ? blob : file;
  } catch {
    return file;
  }
}

/**
 * The picture as a JPEG with a limited longer side (pixels).
 * @param {CanvasImageSource} picture
 * @param {number} width
 * @param {number} height
 * @param {number} longSide
 * @param {number} quality
 * @returns {Promise<Blob | null>}
 */
export function jpegOf(picture, width, height, longSide, quality) {
  const scale = Math.min(1, longSide / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  // without transparency, and in the memory that is read again: encoding takes half the time
  canvas.getContext("2d", { alpha: false, willReadFrequently: true })?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}
