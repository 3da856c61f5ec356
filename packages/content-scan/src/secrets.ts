import { lintSource } from "@secretlint/core";
import { secretLintProfiler } from "@secretlint/profiler";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import type { Found } from "./found.ts";

// It would keep some sixty entries of each text for ever.
secretLintProfiler.setEnabled(false);

/** It lets a comment in the text switch the others off: a mail must not be able to. */
const FILTER_COMMENTS = "@secretlint/secretlint-rule-filter-comments";

/** The rules of the preset, which would bring the filter along as a whole. */
const CONFIG = {
  rules: rules
    .filter(({ meta }) => meta.id !== FILTER_COMMENTS)
    .map((rule) => ({ id: rule.meta.id, rule, options: {} })),
};

/** The beginning of a private key in PEM, whatever follows: it may be short, quoted or cut off. */
const PEM = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----([^-]{0,400})/g;
const MIN_KEY_CHARS = 40;

/** The tokens of well-known services, passwords in URLs and private keys in a text. */
export async function findSecrets(text: string): Promise<Found[]> {
  const { messages } = await lintSource({
    source: { filePath: "part", content: text, contentType: "text" },
    options: { config: CONFIG, maskSecrets: true, noPhysicFilePath: true },
  });
  const found = messages.map(({ messageId, range: [start, end] }) => ({
    code: "secret" as const,
    kind: snakeCase(messageId),
    ...{ start, end, value: text.slice(start, end) },
  }));
  return [...found, ...privateKeys(text).filter((key) => !found.some((each) => overlap(each, key)))];
}

function privateKeys(text: string): Found[] {
  return [...text.matchAll(PEM)].flatMap(({ 0: all, 1: body = "", index: start }) =>
    (body.match(/[A-Za-z0-9+/=]/g)?.length ?? 0) < MIN_KEY_CHARS
      ? []
      : [{ code: "secret", kind: "private_key", start, end: start + all.length, value: all }],
  );
}

const overlap = (one: Pick<Found, "start" | "end">, other: Pick<Found, "start" | "end">): boolean =>
  one.start < other.end && other.start < one.end;

/** `GITHUB_TOKEN`, `PrivateKey` and `AWSSecretAccessKey` in one form. */
const snakeCase = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4").toLowerCase();
