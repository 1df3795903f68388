/** The smallest files that claim to be pictures of a given size; they need not be decodable. */

export function pngOf(width: number, height: number, padding = 0): Buffer {
  const header = Buffer.alloc(33)
  header.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return Buffer.concat([header, Buffer.alloc(padding, 7)])
}

/** With a comment before the frame, as cameras write it. */
export function jpegOf(width: number, height: number, padding = 0): Buffer {
  const frame = Buffer.from([
    0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1,
  ])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 12]), Buffer.from('from a test')])
  comment.writeUInt16BE(comment.length - 2, 2)
  return Buffer.concat([Buffer.from([0xff, 0xd8]), comment, frame, Buffer.alloc(padding, 7)])
}

export function webpOf(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.write(`RIFF\x16\0\0\0WEBP${kind}`, 'latin1')
  if (kind === 'VP8 ') {
    bytes.writeUIntBE(0x9d012a, 23, 3)
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  } else if (kind === 'VP8L') {
    bytes[20] = 0x2f
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  } else {
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  }
  return bytes
}
