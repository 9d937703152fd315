import { spawn } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { constants as systemConstants } from 'node:os'
import { join } from 'node:path'
import { inRoot, root } from './paths.mjs'
import { say } from './say.mjs'

const ASKED_TO_END = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program to its end with the terminal's own input and output.
 * Resolves with its exit status; signals that end this process reach the program first.
 */
export function run(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
  const pass = passOn(child)
  process.on('SIGINT', pass).on('SIGTERM', pass)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal && !ASKED_TO_END.includes(signal)) say(`${program} was ended by ${signal}.`)
      resolve(code ?? 128 + systemConstants.signals[signal])
    })
  }).finally(() => process.off('SIGINT', pass).off('SIGTERM', pass))
}

/**
 * Sends a signal on to a program. Not on Windows: there the console has told the program of Ctrl+C already, and to send
 * it a signal is to end it at once.
 */
export function passOn(child, platform = process.platform) {
  return (signal) => platform !== 'win32' && child.kill(signal)
}

/**
 * Runs a program quietly. Resolves with its exit status and everything it printed into pipes; `limitMs` or `signal` ends
 * it early.
 */
export function capture(program, args, { limitMs, ...options } = {}) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let stdout = ''
  let output = ''
  const timer = limitMs === undefined ? undefined : setTimeout(() => child.kill(), limitMs)
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text
    output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve) => {
    child.on('error', (error) => {
      // One that is told to end has not ended yet.
      if (error.name !== 'AbortError') resolve({ code: 127, stdout, output: error.message })
    })
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, output }))
  }).finally(() => clearTimeout(timer))
}

/** npm as it was called, so that Windows needs no shell and no second npm is met. */
export function npm(args, options) {
  const script = npmScript(process.env)
  if (script !== null) return capture(process.execPath, [script, ...args], options)
  return capture('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** The script of the npm that runs this one; null: it is another package manager, or none. */
export function npmScript({ npm_execpath: path = '' }) {
  return /(^|[/\\])npm-cli\.js$/.test(path) ? path : null
}

/** The script behind a dependency's command, to be run with this Node. */
export function tool(packageName, command = packageName) {
  const folder = inRoot('node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

/** Whether there is a program of this name on the PATH, or at this path. On Windows the end of its name may be left out. */
export function onPath(program, { platform = process.platform, environment = process.env } = {}) {
  const isWindows = platform === 'win32'
  const folders = /[/\\]/.test(program) ? [''] : (environment.PATH ?? '').split(isWindows ? ';' : ':').filter(Boolean)
  const endings = isWindows ? ['', ...(environment.PATHEXT ?? '.COM;.EXE').split(';')] : ['']
  return folders.some((folder) => endings.some((ending) => isProgram(join(folder, program + ending))))
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
