/** What needs mailauth, which takes a while to load: it is loaded with the first mail. */
export { readAuthorPolicy, withDomainsApart } from "./dmarc-facts.ts";
export { readSignatureFacts } from "./signature-facts.ts";
export { readSpfFacts } from "./spf-facts.ts";
