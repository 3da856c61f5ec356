import { isIP } from "node:net";
import { LIMITS, type ReadDomainReport } from "@letterslot/core/ports";
import { Parser } from "htmlparser2";

type Source = ReadDomainReport["sources"][number];

/** Elements within each other, and the characters of one value: far more than a report has. */
const MAX_DEPTH = 12;
const MAX_VALUE_CHARS = 1_000;

const RESULTS = ["pass", "fail"] as const;
const DISPOSITIONS = ["none", "quarantine", "reject", "pass"] as const;

/**
 * Reads a DMARC aggregate (RFC 9990, and RFC 7489 before it). No document type is accepted and no entity of one expanded. Fails for anything
 * that is not such a report or contradicts itself.
 */
export function readDmarcReport(xml: string): ReadDomainReport {
  const path: string[] = [];
  const values = new Map<string, string>();
  const sources: Source[] = [];
  let left_out = 0;
  let record = new Map<string, string>();
  let text = "";
  let opened_at = -1;
  const parser = new Parser(
    {
      onprocessinginstruction(name) {
        if (name.startsWith("!")) throw new Error("a report with a document type");
      },
      onopentag(name) {
        path.push(localName(name));
        if (path.length > MAX_DEPTH) throw new Error("a report that is nested too deeply");
        if (path.length === 2 && path[1] === "record") record = new Map();
        text = "";
        opened_at = parser.endIndex;
      },
      ontext(piece) {
        text += piece;
        if (text.length > MAX_VALUE_CHARS && text.trim().length > MAX_VALUE_CHARS)
          throw new Error("a report with a value that is too long");
      },
      onclosetag(_name, implied) {
        // The parser calls the end of <comment/> implied too; that alone is where the element's tag was.
        if (implied && parser.endIndex !== opened_at)
          throw new Error("a report with an element that has no end");
        const at = path.join("/");
        path.pop();
        if (at.startsWith("feedback/record/")) keepFirst(record, at, text);
        else if (at !== "feedback/record") keepFirst(values, at, text);
        else if (sources.length < LIMITS.domain_report_sources) sources.push(sourceOf(record));
        else left_out += 1;
        text = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  const given = (name: string) => required(values, `feedback/${name}`);
  return {
    kind: "dmarc",
    report_id: given("report_metadata/report_id"),
    domain: given("policy_published/domain").toLowerCase(),
    period: {
      from: timeOf(given("report_metadata/date_range/begin")),
      to: timeOf(given("report_metadata/date_range/end")),
    },
    sources,
    sources_left_out: left_out,
    tls: null,
  };
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase();

function keepFirst(values: Map<string, string>, at: string, text: string): void {
  const value = text.trim();
  if (value !== "" && !values.has(at)) values.set(at, value);
}

function required(values: ReadonlyMap<string, string>, at: string): string {
  const value = values.get(at);
  if (value === undefined) throw new Error(`a report without ${at}`);
  return value;
}

function sourceOf(record: ReadonlyMap<string, string>): Source {
  const row = (name: string) => required(record, `feedback/record/row/${name}`);
  const evaluated = (name: string) => row(`policy_evaluated/${name}`).toLowerCase();
  const ip = row("source_ip");
  if (isIP(ip) === 0) throw new Error("a report with a source that is no address");
  return {
    ip,
    count: countOf(row("count")),
    dkim: oneOf(RESULTS, evaluated("dkim")),
    spf: oneOf(RESULTS, evaluated("spf")),
    disposition: oneOf(DISPOSITIONS, evaluated("disposition")),
  };
}

function countOf(text: string): number {
  const count = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (count < 1) throw new Error("a report with a wrong count");
  return count;
}

function oneOf<const T extends string>(words: readonly T[], word: string): T {
  const found = words.find((each) => each === word);
  if (found === undefined) throw new Error("a report with an unknown result");
  return found;
}

function timeOf(seconds: string): string {
  if (!/^\d{1,12}$/.test(seconds)) throw new Error("a report with a wrong time");
  return new Date(Number(seconds) * 1000).toISOString();
}
