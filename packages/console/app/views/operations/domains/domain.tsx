import type { Domain as DomainRecord } from "@letterslot/client";
import { Download, RefreshCw } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { client, may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { queries, useAct, useAnswer } from "../../../api/queries.ts";
import { ActButton } from "../../../ui/act.tsx";
import { ConfirmButton } from "../../../ui/dialog.tsx";
import { Tick } from "../../../ui/form.tsx";
import { Section, Sheet, View } from "../../../ui/layout.tsx";
import { saveFile } from "../../../ui/save-file.ts";
import { Note, When } from "../../../ui/small.tsx";
import { Answer } from "../../../ui/states.tsx";
import { say } from "../../../ui/toasts.tsx";
import { words } from "../../../words/index.ts";
import { DomainState } from "./domains.tsx";
import { DnsRecords } from "./records.tsx";
import { Reports } from "./reports.tsx";

const text = words.mailOperations.domains;

/** One domain: how far it is, the records that it wants, and what was found of them. */
export function Domain({ domain_id }: { domain_id: string }) {
  const domain = useAnswer(["domains", domain_id], (ask) => ask.domains.get({ domain_id }));
  const [title] = words.operations.areas.domains;
  return (
    <View title={domain.data?.domain ?? title} back={{ href: "/operations/domains", label: title }}>
      <Answer of={domain}>
        {(found) => (
          <>
            <State domain={found} />
            {found.warnings.length > 0 && (
              <Section title={text.warnings}>
                {found.warnings.map(({ code, message }) => (
                  <Note key={code} tone="approval">
                    {message}
                  </Note>
                ))}
              </Section>
            )}
            <Section title={text.records}>
              <DnsRecords records={found.records} />
            </Section>
            <Reports domain_id={domain_id} />
          </>
        )}
      </Answer>
    </View>
  );
}

function State({ domain }: { domain: DomainRecord }) {
  const { caller } = useCaller();
  const { status, checked_at, mail, dns } = domain;
  return (
    <Sheet>
      <div class="grid gap-3">
        <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
          <DomainState status={status} />
          {checked_at !== null && (
            <span class="text-sm text-soft">
              {text.lookedUp} <When at={checked_at} form="relative" />
            </span>
          )}
        </div>
        <p>{text.explain[status]}</p>
        {mail.receiving_from !== null && !mail.receiving && (
          <Note tone="approval">
            {text.receivingFrom} <When at={mail.receiving_from} form="long" />
          </Note>
        )}
        {dns.last_error !== null && <Note tone="problem">{dns.last_error}</Note>}
        <Acts domain={domain} mayWrite={may(caller, "domain_write")} />
      </div>
    </Sheet>
  );
}

function Acts({ domain: { id: domain_id, domain }, mayWrite }: { domain: DomainRecord; mayWrite: boolean }) {
  const [inboxesToo, setInboxesToo] = useState(false);
  const [, go] = useLocation();
  const verify = useAct((ask) => ask.domains.verify({ domain_id }), ["domains"]);
  const rotate = useAct((ask) => ask.domains.rotateDkim({ domain_id }), ["domains"]);
  const remove = useAct((ask) => ask.domains.delete({ domain_id, delete_inboxes: inboxesToo }), ["inboxes"]);
  return (
    <div class="flex flex-wrap gap-2 border-t border-line pt-4">
      {mayWrite && (
        <ActButton
          icon={RefreshCw}
          kind="primary"
          act={() => verify.mutateAsync(undefined).then(() => say(text.checked))}
        >
          {text.verify}
        </ActButton>
      )}
      <ActButton
        icon={Download}
        act={async () => {
          const { bytes, content_type } = await client.domains.zoneFile({ domain_id });
          saveFile(bytes, `${domain}.zone`, content_type);
        }}
      >
        {text.zoneFile}
      </ActButton>
      {mayWrite && (
        <>
          <ConfirmButton
            label={text.rotate}
            question={text.rotateQuestion(domain)}
            detail={text.rotateDetail}
            act={() => rotate.mutateAsync(undefined).then(() => say(text.rotated))}
          />
          <ConfirmButton
            label={text.remove}
            question={text.removeQuestion(domain)}
            detail={
              <>
                {text.removeDetail}
                <Tick label={text.removeInboxes} checked={inboxesToo} onValue={setInboxesToo} />
              </>
            }
            act={async () => {
              await remove.mutateAsync(undefined);
              say(text.removed(domain));
              go("/operations/domains");
              // No event tells of it; the deleted one itself is asked for no more.
              void queries.invalidateQueries({ queryKey: ["domains", "list"] });
            }}
          />
        </>
      )}
    </div>
  );
}
