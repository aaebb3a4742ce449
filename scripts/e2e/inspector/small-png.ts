import { crc32, deflateSync } from 'node:zlib';
import type { Browser } from 'playwright-core';

/** A picture whose pixels are places in a list of at most 256 colours. */
interface Indexed {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue in turn. */
  readonly palette: readonly number[];
  /** In base64, a byte a pixel. */
  readonly pixels: string;
}

/** What a page evaluates to a picture's 256 most frequent colours, and the nearest of them for each pixel. */
const indexed = (source: string): string => `(async () => {
  const image = Object.assign(document.createElement('img'), { src: ${JSON.stringify(source)} });
  await image.decode();
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  const all = new Uint32Array(canvas.getImageData(0, 0, width, height).data.buffer);
  const counts = new Map();
  for (const pixel of all) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const colours = [...counts].sort(([, one], [, other]) => other - one).map(([pixel]) => pixel);
  const parts = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  const palette = colours.slice(0, 256).map(parts);
  const distance = (one, other) => one.reduce((sum, part, index) => sum + (part - other[index]) ** 2, 0);
  const nearest = (pixel) => {
    const distances = palette.map((each) => distance(parts(pixel), each));
    return distances.indexOf(Math.min(...distances));
  };
  const places = new Map(colours.map((pixel) => [pixel, nearest(pixel)]));
  const pixels = Uint8Array.from(all, (pixel) => places.get(pixel)).toBase64();
  return { width, height, palette: palette.flat(), pixels };
})()`;

/** A PNG with at most 256 colours: of a page with little but text a third as large, and to the eye the same. */
export async function smallPng(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const { width, height, palette, pixels }: Indexed = await page.evaluate(indexed(source));
  await page.close();
  const bytes = Buffer.from(pixels, 'base64');
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), bytes.subarray(y * width, (y + 1) * width)]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
