export type OggOpusFile = { preSkipSamples: number; packets: Buffer[] };

const PAGE_HEADER_BYTES = 27;

/** Splits an Ogg file with one Opus stream into its packets (header packets left out). Throws on anything else. */
export function readOggOpus(file: Buffer): OggOpusFile {
  const all = readOggPackets(file);
  const [head, tags, ...packets] = all;
  if (head?.toString('latin1', 0, 8) !== 'OpusHead')
    throw new Error('The Ogg file does not start with an Opus header.');
  if (tags?.toString('latin1', 0, 8) !== 'OpusTags') throw new Error('The Ogg file has no Opus comment packet.');
  return { preSkipSamples: head.readUInt16LE(10), packets };
}

function readOggPackets(file: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  let unfinished: Buffer[] = [];
  let offset = 0;
  while (offset < file.length) {
    if (file.toString('latin1', offset, offset + 4) !== 'OggS') throw new Error('Not an Ogg page.');
    const segmentCount = file[offset + 26] ?? 0;
    const lengths = file.subarray(offset + PAGE_HEADER_BYTES, offset + PAGE_HEADER_BYTES + segmentCount);
    let position = offset + PAGE_HEADER_BYTES + segmentCount;
    for (const length of lengths) {
      if (position + length > file.length) throw new Error('The Ogg file ends inside a packet.');
      unfinished.push(file.subarray(position, position + length));
      position += length;
      // After a segment of 255 bytes the packet continues in the next segment, which may be on the next page.
      if (length === 255) continue;
      packets.push(unfinished.length === 1 ? (unfinished[0] as Buffer) : Buffer.concat(unfinished));
      unfinished = [];
    }
    offset = position;
  }
  return packets;
}
