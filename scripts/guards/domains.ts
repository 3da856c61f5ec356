import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const domains = `${core}/domains`;
const tests = `${domains}/domains.test.ts`;
const rules = `${domains}/rules.test.ts`;
const mails = `${core}/custom-domain-mail.test.ts`;

/** A custom domain is the one account's that has proven it, and its secrets are nobody's. */
export const customDomains: Guard[] = [
  guard(
    "another account's domain is nobody's",
    [
      `${domains}/show.ts`,
      "if (domain?.account_id !== account_id) throw domainNotFound(domain_id);",
      "if (domain === undefined) throw domainNotFound(domain_id);",
    ],
    [tests, "see nothing of each other's"],
  ),
  guard(
    "the zone of a domain that goes with its account is cleared",
    [
      `${core}/erasing/erase-records.ts`,
      "await leaveZone(work, record as DomainRecord, now);",
      "void [record, leaveZone];",
    ],
    [tests, "clears the zone of a domain that goes with its account"],
  ),
  guard(
    "what could not be removed from a zone is tried again",
    [`${domains}/publish.ts`, "if (errors.length === 0 || retry_ms === undefined)", "if (retry_ms !== null)"],
    [tests, "tells of records that it can't remove, and deletes the domain"],
  ),
  guard(
    "a zone that is cleared late keeps what its domain wants again",
    [
      `${domains}/publish.ts`,
      "!wanted.some((one) => isSameRecord(one, record))",
      "wanted.length >= 0 || record",
    ],
    [tests, "leaves what the domain wants when it was added again"],
  ),
  guard(
    "of two accounts that prove a domain one has it",
    [`${domains}/check.ts`, "holds: holder?.domain_id === domain_id,", "holds: true,"],
    [tests, "that prove it at the same moment, one has it"],
  ),
  guard(
    "what was found before a trouble proves no domain",
    [`${domains}/check.ts`, 'valid("ownership") && !trouble', 'valid("ownership")'],
    [tests, "takes no proof from what was found before the trouble"],
  ),
  guard(
    "a domain that was verified is taken",
    [`${domains}/create.ts`, "  checkFree(await customDomain(storage, domain), account_id);\n"],
    [tests, "find it taken once it is verified"],
  ),
  guard(
    "a domain that is held isn't verified for another account",
    [`${domains}/rules.ts`, "{ proven: proven && standing.holds, ...found }", "{ proven, ...found }"],
    [rules, "a domain that another account holds isn't verified"],
  ),
  guard(
    "a domain that is lost is let go of",
    [
      `${domains}/check.ts`,
      '  if (released) await work.delete("proven_domains", { domain: name, domain_id: subject_id });\n',
    ],
    [tests, "is released once the proof of ownership is gone for 30 days"],
  ),
  guard(
    "a domain isn't switched to receiving where that leaves nobody in charge",
    [`${domains}/rules.ts`, "receiving: receiving && !nobody_left,", "receiving,"],
    [tests, "isn't switched to receiving while that would leave nobody in charge"],
  ),
  guard(
    "a domain's workspaces are its account's",
    [`${domains}/create.ts`, "each.parent_account_id === account_id", "each.parent_account_id !== null"],
    [tests, "asks workspaces that it lists for no more than that they are the account's"],
  ),
  guard(
    "a DKIM key is stored sealed",
    [`${domains}/create.ts`, "sealed_dkim_key: seal.seal(pem)", "sealed_dkim_key: pem"],
    [tests, "whose private half is sealed and shown to nobody"],
  ),
  guard(
    "what lets us in at a DNS provider is stored sealed",
    [
      `${domains}/create.ts`,
      "sealed_dns_access: services.seal.seal(JSON.stringify(access)),",
      "sealed_dns_access: JSON.stringify(access),",
    ],
    [tests, "keeps its credentials sealed"],
  ),
  guard(
    "a plan's domains are counted",
    [`${domains}/create.ts`, '    await takeFromPlan(ctx, work, account_id, "custom_domains", 1, now);\n'],
    [tests, "limits the domains of an account"],
  ),
  guard(
    "a key signs only once it is seen",
    [
      `${domains}/rules.ts`,
      'if (waits || dkimStatus(records, next_dkim_selector) !== "valid") return forgotten;',
      "if (waits) return forgotten;",
    ],
    [rules, "waits until the new key is seen"],
  ),
  guard(
    "a custom domain that doesn't receive takes no mail",
    [
      `${core}/inbound/destination.ts`,
      "if (!(await inboxDomain(services, services.storage, inbox)).receives)",
      "if (false)",
    ],
    [mails, "with a domain of"],
  ),
  guard(
    "no mail leaves from a domain that isn't the account's any more",
    [`${core}/sending/send-job.ts`, "if (!held)", "if (false as boolean)"],
    [mails, "never leaves once another account"],
  ),
  guard(
    "a letter leaves, even to an inbox at a custom domain",
    [`${core}/letterslot.ts`, "letter === true", "(letter as unknown) === 1"],
    [mails, "that is a letter always leaves"],
  ),
  guard(
    "what our own key at a custom domain signed is no owner's word",
    [
      `${core}/inbound/own-marks.ts`,
      "keys: custom.flatMap(keysOf),",
      "keys: custom.flatMap(keysOf).slice(9),",
    ],
    [mails, "isn't its owner's word"],
  ),
  guard(
    "an address at a custom domain that receives here isn't outside",
    [`${core}/kernel/inbox-domain.ts`, "custom === undefined || !isReceiving(custom)", "true"],
    [mails, "is a person's who has a say only while"],
  ),
  guard(
    "an address is issued anew only to who has proven its domain since",
    [
      `${core}/inboxes/create.ts`,
      "before === undefined || !(await hasLostAddress(tx, before))",
      "before === undefined",
    ],
    [mails, "has its username apart"],
  ),
  guard(
    "bounces of a message come back to its own domain alone",
    [
      `${core}/bounces/match-report.ts`,
      "at_ours || (await isReturnDomain(services, path.domain, message))",
      "true",
    ],
    [mails, "is from its domain, with a Message-ID"],
  ),
  guard(
    "mail to postmaster@ is passed on twenty times an hour at most",
    [
      `${core}/inbound/postmaster.ts`,
      "if (!(await count(storage, cap, now)).within)",
      "if (false as boolean)",
    ],
    [mails, "beyond twenty an hour"],
  ),
];
