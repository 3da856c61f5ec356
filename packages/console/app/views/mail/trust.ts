import type { Message } from "@letterslot/client";
import type { Tone } from "../../ui/chip.tsx";
import { words } from "../../words/index.ts";

const text = words.mail.trust;

/** Whether somebody vouches for the sender of a mail, in plain words. */
export function trustIn({
  auth,
  from,
  direction,
  safety,
}: Pick<Message, "auth" | "from" | "direction" | "safety">): {
  tone: Tone;
  text: string;
} | null {
  if (direction === "outbound") return null;
  const domain = from.split("@").at(-1) ?? "";
  if (auth.imported === true) return { tone: "progress", text: text.imported };
  // Whoever signs a suspicious mail is known by that, and no better for it.
  const good = safety?.verdict === "suspicious" ? "progress" : "done";
  if (auth.dmarc === "pass") return { tone: good, text: text.signed(domain) };
  if (auth.dmarc === "fail") return { tone: "problem", text: text.forged(domain) };
  if (auth.dkim === "pass" || auth.spf === "pass") return { tone: "progress", text: text.other(domain) };
  return { tone: "approval", text: text.nobody };
}
