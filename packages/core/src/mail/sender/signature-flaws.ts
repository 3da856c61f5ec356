import type { DkimSignature } from "../../model/sender-facts.ts";

import { asciiDomain, isSameOrSubdomain } from "./alignment.ts";

/** RSA keys with fewer bits prove nothing (RFC 8301, section 3.2). */
export const MIN_RSA_BITS = 1024;

/** Why a signature doesn't count although it verifies, as the end of a sentence; null when it counts. */
export function signatureFlaw(signature: DkimSignature): string | null {
  if (!signature.signs_from) return "it leaves From unsigned";
  if (signature.repeats_signed) return "a header that it signs is there more than once";
  if (signature.body_length_limited) return "it leaves the end of the body unsigned";
  if (signature.key_bits !== null && signature.key_bits < MIN_RSA_BITS) return "its key is too short";
  if (!isSameOrSubdomain(asciiDomain(signature.identity_domain), signature.domain))
    return "its identity lies outside its domain";
  if (signature.strict_identity && asciiDomain(signature.identity_domain) !== asciiDomain(signature.domain)) {
    return "its key allows no identity in a subdomain";
  }
  return null;
}
