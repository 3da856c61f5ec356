import type { NewPairing } from "../../model/pairings.ts";

/** What to give to an agent with a code: a sentence for a model, and two lines for a shell. */
export function waysToUse(
  code: string,
  base_url: string,
  chooses_name: boolean,
): Pick<NewPairing, "sentence" | "command" | "request"> {
  const command = `npx -y @letterslot/cli@0.1 init --url ${base_url} --pair ${code}`;
  const url = `${base_url}/api/v1/pair`;
  const name = chooses_name ? " Choose a username for the address." : "";
  return {
    sentence: `Get your mailbox on ${base_url} with my pairing code ${code}: run "${command}", or POST {"code": "${code}"} as JSON to ${url} and keep the api_key of the answer.${name} Then read ${base_url}/llms.txt.`,
    command,
    request: `curl ${url} -H 'Content-Type: application/json' -d '{"code": "${code}"}'`,
  };
}
