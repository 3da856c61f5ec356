import { defineCommand, type Group } from "../frame/command.ts";

const SCRIPTS = {
  bash: {
    script: `_letterslot() {
  local IFS=$'\\n'
  COMPREPLY=($(letterslot completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _letterslot letterslot
`,
    install: "echo 'eval \"$(letterslot completion bash)\"' >> ~/.bashrc",
  },
  zsh: {
    script: `#compdef letterslot
_letterslot() {
  local -a found
  found=("\${(@f)$(letterslot completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$found" ]] && compadd -- $found || _files
}
compdef _letterslot letterslot
`,
    install: "echo 'eval \"$(letterslot completion zsh)\"' >> ~/.zshrc",
  },
  fish: {
    script: `complete -c letterslot -f -a '(set -l words (commandline -opc) (commandline -ct); letterslot completion words -- $words[2..-1] 2>/dev/null)'
complete -c letterslot -F -n 'test -z "(letterslot completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)"'
`,
    install: "letterslot completion fish > ~/.config/fish/completions/letterslot.fish",
  },
} as const;

type Shell = keyof typeof SCRIPTS;

const scriptOf = (shell: Shell) =>
  defineCommand({
    summary: `The script for ${shell}`,
    examples: [SCRIPTS[shell].install],
    run: ({ terminal }) => terminal.write(SCRIPTS[shell].script),
  });

const words = defineCommand({
  summary: "What the last of these words may become, a line each; the scripts ask it",
  examples: ["letterslot completion words -- inboxes cr"],
  args: { words: { kind: "text", about: "the words after letterslot", many: true } },
  async run({ terminal, possibleWords }, { words: typed }) {
    const found = await possibleWords(typed);
    if (found.length > 0) await terminal.write(`${found.join("\n")}\n`);
  },
});

/** `letterslot completion`: completes from the commands themselves, so that it is never out of date. */
export const command: Group = {
  summary: "Completes commands in your shell: bash, zsh, fish",
  examples: Object.values(SCRIPTS).map(({ install }) => install),
  commands: { bash: scriptOf("bash"), zsh: scriptOf("zsh"), fish: scriptOf("fish"), words },
};
