import type { LetterslotApiError } from "@letterslot/client";
import { Download } from "lucide-preact";
import { useLocation } from "wouter-preact";
import { client } from "../../../api/caller.ts";
import { usePolling } from "../../../api/polling.ts";
import { useAct, useAnswer } from "../../../api/queries.ts";
import { ActButton } from "../../../ui/act.tsx";
import { saveFile } from "../../../ui/save-file.ts";
import { When } from "../../../ui/small.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { Problem } from "../../../ui/states.tsx";
import { fileSize, words } from "../../../words/index.ts";

const text = words.accountOperations.settings;

/** Makes an export, and hands it over once it is ready. Which one it is stands in the address. */
export function Export({ export_id }: { export_id: string }) {
  const [, go] = useLocation();
  const make = useAct((ask) => ask.exports.create({}), []);
  const found = useAnswer(["exports", export_id], (ask) => ask.exports.get({ export_id }), export_id !== "");
  const { data } = found;
  usePolling(data?.status === "pending", () => void found.refetch());
  const download = async () => {
    const { stream, filename, content_type } = await client.exports.download({ export_id });
    saveFile(await new Response(stream).blob(), filename ?? "export.zip", content_type);
  };
  return (
    <div class="grid justify-items-start gap-3">
      <p class="text-soft">{text.exportText}</p>
      {data?.status === "pending" && (
        <p class="flex items-center gap-2" role="status">
          <Spinner /> {text.exportMaking}
        </p>
      )}
      {data?.status === "failed" && <p role="status">{text.exportFailed}</p>}
      {found.error !== null && <Problem error={found.error satisfies LetterslotApiError} />}
      {data?.status === "ready" ? (
        <>
          <p role="status">
            {text.exportReady(fileSize(data.size_bytes ?? 0))} {text.exportUntil}{" "}
            <When at={data.expires_at} form="relative" />.
          </p>
          <ActButton icon={Download} kind="primary" act={download}>
            {text.exportDownload}
          </ActButton>
        </>
      ) : (
        data?.status !== "pending" && (
          <ActButton
            act={() => make.mutateAsync(undefined).then(({ id }) => go(`/operations/settings/${id}`))}
          >
            {text.exportStart}
          </ActButton>
        )
      )}
    </div>
  );
}
