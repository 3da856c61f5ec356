const SAMPLES_PER_SECOND = 8_000;
const HEADER_BYTES = 44;
const TONE_HZ = 440;
/** Out of 127: a recording that is played by mistake doesn't startle anybody. */
const LOUDNESS = 12;
const SILENCE = 128;

/** A WAV file with that many seconds of a soft tone: 8,000 samples a second, 8 bits each, one channel. */
export function toneOf(seconds: number): Uint8Array {
  const samples = Math.max(1, Math.round(seconds)) * SAMPLES_PER_SECOND;
  const bytes = Buffer.alloc(HEADER_BYTES + samples);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(HEADER_BYTES - 8 + samples, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  bytes.writeUInt32LE(SAMPLES_PER_SECOND, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(samples, 40);
  for (let index = 0; index < samples; index++) {
    const angle = (2 * Math.PI * TONE_HZ * index) / SAMPLES_PER_SECOND;
    bytes[HEADER_BYTES + index] = SILENCE + Math.round(LOUDNESS * Math.sin(angle));
  }
  return bytes;
}
