import { COMMAND_LIST, GLOBAL_OPTIONS, optionFacts, OPTIONS, type OptionName } from './option-table.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** The script by which a shell completes Sluice's words, and files where a command takes some. Pure. */
export function completionsFor(shell: Shell): string {
  return { bash, zsh, fish }[shell]()
}

const NAMES = Object.keys(OPTIONS) as OptionName[]
const WORDS = COMMAND_LIST.map(([name]) => name)

function bash(): string {
  const values = NAMES.flatMap((name) => {
    const reply = bashValue(name)
    const { short } = optionFacts(name)
    return reply === null ? [] : [`    --${name}${short === undefined ? '' : `|-${short}`}) ${reply}; return ;;`]
  })
  return `# Completes the words of sluice in bash.
_sluice() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= verbs= options="${dashed(GLOBAL_OPTIONS)}" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != -* ]]; then command=$word; break; fi
  done
  COMPREPLY=()
  case $before in
${values.join('\n')}
  esac
  case $command in
    '') verbs="${WORDS.join(' ')}" ;;
${COMMAND_LIST.map(([name, { options, verbs = [] }]) => `    ${name}) options="${dashed(options)}"; [[ $before == ${name} ]] && verbs="${verbs.join(' ')}" ;;`).join('\n')}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  else COMPREPLY=($(compgen -W "$verbs" -- "$current"))
  fi
}
complete -o bashdefault -o default -F _sluice sluice
`
}

/** The bash code that completes an option's value; null when the option takes none. */
function bashValue(name: OptionName): string | null {
  const { takes } = optionFacts(name)
  if (takes === undefined) return null
  // Without a reply bash completes files. Free text has no completions.
  if (takes === 'file') return ':'
  if (takes === 'folder') return 'COMPREPLY=($(compgen -d -- "$current"))'
  return takes === 'text'
    ? 'compopt +o default +o bashdefault'
    : `COMPREPLY=($(compgen -W "${takes.join(' ')}" -- "$current"))`
}

function zsh(): string {
  const commands = COMMAND_LIST.map(([name, { forms }]) => `    ${quoted(`${name}:${forms[0]?.[1] ?? 'show help'}`)}`)
  const cases = COMMAND_LIST.map(([name, { options, verbs }]) => {
    const operands = verbs === undefined ? '*:file:_files' : `1:command:(${verbs.join(' ')})`
    const more = verbs === undefined ? [operands] : [operands, '*:file:_files']
    const words = [...options.flatMap(zshOption), ...more.map(quoted)]
    return `    ${name}) _arguments ${words.join(' ')} ;;`
  })
  return `#compdef sluice
# Completes the words of sluice in zsh.
_sluice() {
  local -a commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then compadd -- ${dashed(GLOBAL_OPTIONS)}; return; fi
    _describe command commands
    _files
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
_sluice "$@"
`
}

function zshOption(name: OptionName): string[] {
  const { takes, value = '', does, short } = optionFacts(name)
  const action = zshAction(takes)
  const rest = `[${does.replaceAll(/[[\]:]/g, '\\$&')}]${action === null ? '' : `:${value}:${action}`}`
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].map((flag) => quoted(`${flag}${rest}`))
}

function zshAction(takes: ReturnType<typeof optionFacts>['takes']): string | null {
  if (takes === undefined) return null
  if (takes === 'file') return '_files'
  if (takes === 'folder') return '_files -/'
  return takes === 'text' ? ' ' : `(${takes.join(' ')})`
}

function fish(): string {
  const commands = COMMAND_LIST.map(
    ([name, { forms }]) =>
      `complete -c sluice -n __fish_use_subcommand -a ${name} -d ${quoted(forms[0]?.[1] ?? 'show help')}`,
  )
  const verbs = COMMAND_LIST.flatMap(([name, facts]) =>
    facts.verbs === undefined
      ? []
      : [
          `complete -c sluice -n ${quoted(`__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${facts.verbs.join(' ')}`)} -a ${quoted(facts.verbs.join(' '))}`,
        ],
  )
  const options = NAMES.map((name) => {
    const { short, does } = optionFacts(name)
    const users = COMMAND_LIST.filter(([, facts]) => facts.options.includes(name)).map(([command]) => command)
    const where = users.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${users.join(' ')}`
    const flags = `-l ${name}${short === undefined ? '' : ` -s ${short}`}${fishValue(name)}`
    return `complete -c sluice -n ${quoted(where)} ${flags} -d ${quoted(does)}`
  })
  return ['# Completes the words of sluice in fish.', ...commands, ...verbs, ...options, ''].join('\n')
}

function fishValue(name: OptionName): string {
  const { takes } = optionFacts(name)
  if (takes === undefined) return ''
  if (takes === 'file') return ' -r -F'
  if (takes === 'folder') return ` -x -a '(__fish_complete_directories)'`
  return takes === 'text' ? ' -x' : ` -x -a ${quoted(takes.join(' '))}`
}

function dashed(names: readonly OptionName[]): string {
  return names.map((name) => `--${name}`).join(' ')
}

/** Puts text in single quotes for a shell. Inside, ’ stands for ', which shells escape in different ways. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
