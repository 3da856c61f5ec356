/** One instruction of a Dockerfile, with its arguments on one line. */
export interface Instruction {
  word: string;
  args: string;
}

/** The stages of a Dockerfile in their order: the name of each (its number, if it has none) and its instructions. */
export function stagesOf(dockerfile: string): { name: string; instructions: Instruction[] }[] {
  const lines = dockerfile
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: { name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, word = "", args = ""] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    const [, name] = /\sAS\s+(\S+)$/i.exec(args) ?? [];
    if (word === "FROM") stages.push({ name: name ?? String(stages.length), instructions: [] });
    else stages.at(-1)?.instructions.push({ word, args });
  }
  return stages;
}
