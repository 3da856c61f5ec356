import twilio from "twilio";

/** A request to Twilio's API, by its effect. */
export type TwilioRequest =
  | "search"
  | "buy"
  | "find"
  | "release"
  | "send"
  | "call"
  | "find_call"
  | "recording";

const library = twilio(`AC${"0".repeat(32)}`, "none");

/** The library's own functions whose requests have parameters. */
const FUNCTIONS: Partial<Record<TwilioRequest, () => { toString(): string }>> = {
  search: () => library.availablePhoneNumbers("US").local.page,
  buy: () => library.incomingPhoneNumbers.create,
  find: () => library.incomingPhoneNumbers.page,
  send: () => library.messages.create,
  call: () => library.calls.create,
};

/** Which parameters a request may have, and must have, as the library's code writes them. */
interface Parameters {
  allowed: Set<string>;
  required: string[];
  booleans: Set<string>;
}

const known = new Map<TwilioRequest, Parameters>();

function parametersOf(request: TwilioRequest): Parameters {
  const found = known.get(request);
  if (found !== undefined) return found;
  const code = FUNCTIONS[request]?.().toString() ?? "";
  const allowed = [...code.matchAll(/data\["(\w+)"\]/g)].map(([, name = ""]) => name);
  const required = [...code.matchAll(/Required parameter \\"params\['(\w+)'\]/g)].map(
    ([, name = ""]) => name,
  );
  const booleans = [...code.matchAll(/data\["(\w+)"\] =\s*serialize\.bool/g)].map(([, name = ""]) => name);
  if (FUNCTIONS[request] !== undefined && allowed.length === 0)
    throw new Error(`the library's code of ${request} can't be read any more`);
  const capital = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const parameters = {
    allowed: new Set(allowed),
    required: required.map(capital),
    booleans: new Set(booleans),
  };
  known.set(request, parameters);
  return parameters;
}

/**
 * Describes the first fault in a request's parameters, judged by what the library itself can send; undefined if there
 * is none.
 */
export function wrongParameter(request: TwilioRequest, fields: URLSearchParams): string | undefined {
  const { allowed, required, booleans } = parametersOf(request);
  const unknown = [...fields.keys()].find((name) => !allowed.has(name));
  if (unknown !== undefined) return `There is no parameter ${unknown}`;
  const missing = required.find((name) => (fields.get(name) ?? "") === "");
  if (missing !== undefined) return `A '${missing}' parameter is required`;
  const odd = [...booleans].find(
    (name) => fields.has(name) && !/^(?:true|false)$/.test(fields.get(name) ?? ""),
  );
  return odd === undefined ? undefined : `${odd} is true or false`;
}
