// A PDF of one page that holds one picture. The picture is made of dots, so that no font has to travel with it, and
// Chinese looks in every viewer as it does here. It knows no trace. Written by the rules of ISO 32000-1.

/**
 * @typedef {object} PdfPicture
 * @property {ImageData} pixels Opaque.
 * @property {number} width Of the page, in points.
 * @property {number} height
 * @property {string} title
 * @property {PdfLink | null} link
 */

/**
 * An address, and the part of the page that leads to it, from its upper left corner.
 * @typedef {{address: string, left: number, top: number, width: number, height: number}} PdfLink
 */

/**
 * @param {PdfPicture} picture
 * @returns {Promise<Blob>}
 */
export async function pdfBlob({ pixels, width, height, title, link }) {
  const colours = await deflate(withoutAlpha(pixels.data));
  const drawing = `q ${width} 0 0 ${height} 0 0 cm /Picture Do Q`;
  const image = `<< /Type /XObject /Subtype /Image /Width ${pixels.width} /Height ${pixels.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode /Length ${colours.length} >>`;
  const links = link === null ? "" : ` /Annots [${linkDictionary(link, height)}]`;
  const resources = "/Resources << /XObject << /Picture 5 0 R >> >>";
  return writeFile([
    ["<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /DisplayDocTitle true >> >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] ${resources} /Contents 4 0 R${links} >>`],
    [`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`],
    [`${image}\nstream\n`, colours, "\nendstream"],
    [`<< /Title ${unicodeString(title)} /Producer ${unicodeString("Glanceback")} >>`],
  ]);
}

/**
 * The objects, numbered from 1, and the table of where each of them begins.
 * @param {(string | Uint8Array<ArrayBuffer>)[][]} objects The first is the catalog, the last the information.
 * @returns {Blob}
 */
function writeFile(objects) {
  const encoder = new TextEncoder();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let length = 0;

  /** @param {string | Uint8Array<ArrayBuffer>} part */
  function write(part) {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  }

  write("%PDF-1.5\n%");
  // Bytes over 127 at the beginning say that the file is not text.
  write(new Uint8Array([0xe2, 0xe3, 0xcf, 0xd3, 0x0a]));
  const starts = objects.map((object, index) => {
    const start = length;
    for (const part of [`${index + 1} 0 obj\n`, ...object, "\nendobj\n"]) {
      write(part);
    }
    return start;
  });
  const table = length;
  const rows = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  write(`xref\n0 ${count}\n0000000000 65535 f \n${rows}`);
  write(`trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: "application/pdf" });
}

/**
 * @param {PdfLink} link
 * @param {number} pageHeight
 * @returns {string}
 */
function linkDictionary({ address, left, top, width, height }, pageHeight) {
  const box = [left, pageHeight - top - height, left + width, pageHeight - top].join(" ");
  return `<< /Type /Annot /Subtype /Link /Rect [${box}] /Border [0 0 0] /A << /S /URI /URI ${plainString(address)} >> >>`;
}

/**
 * A text in UTF-16, its first character the mark of the byte order, written in hexadecimal digits.
 * @param {string} text
 * @returns {string}
 */
function unicodeString(text) {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `<${[0xfeff, ...units].map((unit) => unit.toString(16).padStart(4, "0")).join("")}>`;
}

/**
 * A text of single bytes, as the address of a page always is.
 * @param {string} text
 * @returns {string}
 */
function plainString(text) {
  return `(${text.replace(/[\\()]/g, "\\$&")})`;
}

/**
 * @param {Uint8ClampedArray} pixels Red, green, blue, alpha.
 * @returns {Uint8Array<ArrayBuffer>}
 */
function withoutAlpha(pixels) {
  const count = pixels.length / 4;
  const colours = new Uint8Array(3 * count);
  for (let pixel = 0; pixel < count; pixel += 1) {
    colours[3 * pixel] = pixels[4 * pixel];
    colours[3 * pixel + 1] = pixels[4 * pixel + 1];
    colours[3 * pixel + 2] = pixels[4 * pixel + 2];
  }
  return colours;
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Uint8Array<ArrayBuffer>>} In the zlib format, which PDF calls FlateDecode.
 */
async function deflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
