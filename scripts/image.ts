import { parseArgs } from "node:util";
import { MAX_IMAGE_BYTES, writeImageContext } from "./image-context.ts";
import { buildPackages, packPackages } from "./packages.ts";
import { ROOT, run } from "./run-command.ts";

const HELP = `Builds the image \`letterslot\` with Docker, from the packed packages. Fails if it adds more than promised to its base.

Usage: npx -y pnpm@12 run image [options]

Options:
  --built   take the builds that are there
  --help    show this help
`;
const BASE = "node:24-slim";
const log = (line: string): void => console.log(line);

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    built: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) console.log(HELP);
else {
  if (!values.built) await buildPackages(log);
  writeImageContext(await packPackages(log));
  await run("docker", ["pull", BASE]);
  await run("docker", ["build", "--tag", "letterslot", ROOT]);
  const sizeOf = async (image: string): Promise<number> =>
    Number(await run("docker", ["image", "inspect", "--format", "{{.Size}}", image], { quiet: true }));
  const added = (await sizeOf("letterslot")) - (await sizeOf(BASE));
  const said = `letterslot adds ${Math.round(added / 1024 / 1024)} MB to ${BASE}`;
  if (!(added <= MAX_IMAGE_BYTES))
    throw new Error(`${said}; at most ${MAX_IMAGE_BYTES / 1024 / 1024} are promised`);
  console.log(said);
}
