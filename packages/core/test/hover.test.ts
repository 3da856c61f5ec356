import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { coreDeclarations } from "../../../scripts/core-declarations.ts";
import { emitDeclarations } from "../../../scripts/declarations.ts";

const CORE = join(import.meta.dirname, "..");
/** What an embedder writes; `⟨…⟩` marks what is hovered over. */
const PROGRAM = `
import { createLetterslot, type Event, type LetterslotConfig, type Message } from "./src/index.ts";

const config: LetterslotConfig = {} as LetterslotConfig;
config.⟨mailDomain⟩;
config.⟨onboarding⟩;
const letterslot = createLetterslot(config);
const { ⟨api_key⟩ } = await letterslot.⟨onboard⟩({ username: "ada" });
const agent = letterslot.⟨withKey⟩(api_key);
const sent = await agent.messages.⟨send⟩({ inbox_id: "inb_1", to: ["a@b.example"], ⟨subject⟩: "Hi", text: "Hi" });
const person = letterslot.as({ type: "public", ip: null });
await person.tasks.⟨claim⟩({ ⟨lease_seconds⟩: 60 });
const { data } = await agent.messages.⟨list⟩({ inbox_id: "inb_1" });
declare const message: Message;
message.⟨extracted_text⟩;
declare const event: Event;
event.⟨type⟩;
const file = await agent.attachments.⟨get⟩({} as never);
`;

interface Hover {
  type: string;
  says: string;
}
const hovers = new Map<string, Hover>();

beforeAll(() => {
  emitDeclarations(CORE, ["./src/index.ts"], {}, () => coreDeclarations(CORE));
  const file = join(CORE, ".types/program.ts");
  writeFileSync(file, PROGRAM.replaceAll(/[⟨⟩]/g, ""));
  const config = ts.getParsedCommandLineOfConfigFile(
    join(CORE, "../../tsconfig.json"),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
      },
    },
  );
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) =>
      existsSync(path) ? ts.ScriptSnapshot.fromString(readFileSync(path, "utf8")) : undefined,
    getCurrentDirectory: () => CORE,
    getCompilationSettings: () => config?.options ?? {},
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    ...(ts.sys.realpath === undefined ? {} : { realpath: ts.sys.realpath }),
  });
  let marks = 0;
  for (const { index, 1: name = "" } of PROGRAM.matchAll(/⟨(\w+)⟩/g)) {
    const info = service.getQuickInfoAtPosition(file, index - marks);
    marks += 2;
    const type = ts.displayPartsToString(info?.displayParts);
    hovers.set(name, { type, says: ts.displayPartsToString(info?.documentation) });
  }
}, 120_000);

test.each([
  ["mailDomain", "string", "The domain of addresses that have no custom domain."],
  ["onboarding", '"open" | "claimed" | "paired" | "closed"', "Who may open an account"],
  ["onboard", "Promise<Onboarding>", "Opens an account with one inbox"],
  ["api_key", "string", "key"],
  ["withKey", "BoundOperations", "The operations on behalf of an API key"],
  [
    "send",
    "(input: MessagesSendInput, options?: CallOptions) => Promise<Message | Draft | SendCheck>",
    "Queues a mail;",
  ],
  ["subject", "string", "."],
  ["claim", "Promise<TaskClaim>", "."],
  ["lease_seconds", "number", "."],
  ["list", "MessageSummary", "."],
  ["extracted_text", "string", "."],
  ["type", '"message.received" | "message.held"', "."],
  ["get", "Promise<Download>", "."],
])("the hover over %s has the type %s and a sentence", (name, type, sentence) => {
  const hover = hovers.get(name);
  expect(hover?.type).toContain(type);
  expect(hover?.type).not.toMatch(/\bZod|z\.(?:input|output|infer)/);
  expect(hover?.says).toContain(sentence);
});
