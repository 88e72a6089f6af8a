//! `edgebid completion`: writes a script with which a shell completes the commands and their options, from the tree of
//! the commands. The script itself is complete: no key press waits for this program, and all other words are files.

import { Argument, type Command } from "commander";
import { printLine } from "./catalog/print.ts";
import { command } from "./options.ts";

const HELP = `
examples:
  source <(npx edgebid completion bash)          this terminal; put the line into ~/.bashrc for all
  source <(npx edgebid completion zsh)
  npx edgebid completion fish | source
A shell completes \`edgebid\`, not \`npx edgebid\`: put node_modules/.bin on the PATH, or install edgebid globally.`;

/** Adds the command. The other commands must be there already. */
export function addCompletionCommand(program: Command): void {
  command(program, "completion", "print a script with which a shell completes this command", HELP)
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => printLine(SCRIPTS[shell](program.name(), entriesIn(program))));
}

/** A command in the tree, such as `catalog push`; the path of the program itself is empty. */
interface Entry {
  path: string;
  commands: { name: string; about: string }[];
  options: { name: string; about: string; hasValue: boolean; choices: string[] }[];
}

function entriesIn(command: Command, path = ""): Entry[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const entry: Entry = {
    path,
    commands: commands.map((sub) => ({ name: sub.name(), about: sub.description() })),
    options: help.visibleOptions(command).map(({ long, description, required, optional, argChoices }) => ({
      ...{ name: long ?? "", about: description, hasValue: required || optional, choices: argChoices ?? [] },
    })),
  };
  return [entry, ...commands.flatMap((sub) => entriesIn(sub, `${path} ${sub.name()}`.trim()))];
}

const SCRIPTS = { bash, zsh, fish };

function bash(name: string, entries: Entry[]): string {
  const names = (all: { name: string }[]) => quoted(all.map((one) => one.name).join(" "));
  const ways = entries.map(
    ({ path, commands, options }) => `    ${quoted(path)}) subs=${names(commands)} flags=${names(options)} ;;`,
  );
  const values = entries.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map((option) => `    ${quoted(`${path} ${option.name}`)}) subs=${quoted(option.choices.join(" "))} ;;`),
  );
  // Words that are neither commands nor options are files. zsh runs this too, where `path`, `options` and `commands` are
  // taken.
  return `_${name}() {
  local at="" subs="" flags="" word cur="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "\${at:+$at }$word" in
      ${pathsOf(entries).map(quoted).join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${ways.join("\n")}
  esac
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
  esac
  [[ "$cur" == -* ]] && subs="$flags"
  COMPREPLY=($(compgen -W "$subs" -- "$cur"))
}
complete -o default -o bashdefault -F _${name} ${name}`;
}

function zsh(name: string, entries: Entry[]): string {
  return `autoload -Uz compinit bashcompinit && compinit && bashcompinit\n${bash(name, entries)}`;
}

function fish(name: string, entries: Entry[]): string {
  const lines = entries.flatMap(({ path, commands, options }) => {
    const start = `complete -c ${name} -n "__${name}_is '${path}'"`;
    return [
      ...commands.map((sub) => `${start} -f -a ${sub.name} -d ${quoted(sub.about)}`),
      ...options.map(({ name, about, hasValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : hasValue ? " -r" : "";
        return `${start} -l ${name.replace(/^--/, "")}${value} -d ${quoted(about)}`;
      }),
    ];
  });
  return `function __${name}_is
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$path $word")
    contains -- $next ${pathsOf(entries).map(quoted).join(" ")}; and set path $next
  end
  test "$path" = "$argv[1]"
end
${lines.join("\n")}`;
}

function pathsOf(entries: Entry[]): string[] {
  return entries.map(({ path }) => path).filter((path) => path !== "");
}

/** A text in the quotes of a shell. The sign is not needed in what commands say of themselves. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
