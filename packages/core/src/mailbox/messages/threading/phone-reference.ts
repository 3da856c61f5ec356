/** Returns the reference shared by the texts, calls and voicemails between two numbers. No Message-ID looks like it. */
export const phoneReference = (ours: string, theirs: string): string => `tel:${ours},${theirs}`;
