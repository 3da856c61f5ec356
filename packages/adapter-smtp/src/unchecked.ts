import type { DkimSignature } from "@letterslot/core";

/** A signature that could not be looked at: it says why, and never passes. */
export function uncheckedSignature(result: "temperror" | "permerror"): DkimSignature {
  return {
    result,
    domain: "",
    identity_domain: "",
    selector: "",
    strict_identity: false,
    body_length_limited: false,
    signs_from: false,
    repeats_signed: false,
    key_bits: null,
  };
}
