import { commandOf } from "../catalogue/command-of.ts";
import type { Group } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import type { Shown } from "../frame/output.ts";

/** `letterslot domains`. */
export const command: Group = {
  summary: "Domains of your own, and their DNS records",
  examples: ["letterslot domains add mail.example.com", "letterslot domains verify dom_…"],
  commands: {
    list: commandOf("domains.list", { examples: ["letterslot domains list"] }),
    add: commandOf("domains.create", {
      summary: "Adds a domain, and shows the DNS records that it needs",
      args: ["domain"],
      show: showDomain,
      examples: ["letterslot domains add mail.example.com"],
    }),
    get: commandOf("domains.get", {
      summary: "Shows a domain, with what was found of each of its records",
      args: ["domain_id"],
      show: showDomain,
      examples: ["letterslot domains get dom_…"],
    }),
    verify: commandOf("domains.verify", {
      summary: "Looks up the records of a domain now",
      args: ["domain_id"],
      show: showDomain,
      examples: ["letterslot domains verify dom_…"],
    }),
    "zone-file": commandOf("domains.zoneFile", {
      summary: "Downloads the records that a domain lacks, to import at a DNS provider",
      args: ["domain_id"],
      examples: ["letterslot domains zone-file dom_… -o mail.example.com.zone"],
    }),
    reports: commandOf("domains.reports", {
      summary: "Lists what other organisations report about mail of a domain",
      args: ["domain_id"],
      examples: ["letterslot domains reports dom_…", "letterslot domains reports dom_… --kind tls"],
    }),
    "rotate-dkim": commandOf("domains.rotateDkim", {
      args: ["domain_id"],
      show: showDomain,
      examples: ["letterslot domains rotate-dkim dom_…"],
    }),
    delete: commandOf("domains.delete", {
      args: ["domain_id"],
      confirm: ({ domain_id }) => `This deletes the domain ${String(domain_id)}.`,
      examples: ["letterslot domains delete dom_… --yes"],
    }),
  },
};

/** A domain is its records: people copy these to a DNS provider, whole. */
async function showDomain({ output, terminal }: Context, answer: Shown): Promise<void> {
  if (output.json) return output.record(answer);
  const { id, domain, status, records, warnings } = answer;
  await terminal.write(`${terminal.style("bold", String(domain))}  ${String(status)}  ${String(id)}\n\n`);
  const columns = ["type", "name", "value", "status"].map((name) => ({
    title: name,
    of: (record: Shown) => record[name],
  }));
  await output.list((records ?? []) as Shown[], columns, "It needs no records.");
  for (const { message } of (warnings ?? []) as { message?: string }[]) {
    if (message !== undefined) terminal.note(`Note: ${message}`);
  }
}
