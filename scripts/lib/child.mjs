import { spawn } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { constants as systemConstants } from 'node:os'
import { join } from 'node:path'
import { inRoot, root } from './paths.mjs'
import { say } from './say.mjs'

const ASKED_TO_END = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program to its end on this terminal's input and output. Resolves with its exit status. Signals that end this
 * process are passed to the program first.
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
 * Passes a signal on to a program, except on Windows: there the console has already sent Ctrl+C to the program, and
 * sending it a signal would end it at once.
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
      // A program that was told to end hasn't ended yet.
      if (error.name !== 'AbortError') resolve({ code: 127, stdout, output: error.message })
    })
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, output }))
  }).finally(() => clearTimeout(timer))
}

/** Runs the npm that started this script, so that Windows needs no shell, and no other npm is used. */
export function npm(args, options) {
  const script = npmScript(process.env)
  if (script !== null) return capture(process.execPath, [script, ...args], options)
  return capture('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** The script of the npm that started this one; null: it was another package manager, or none. */
export function npmScript({ npm_execpath: path = '' }) {
  return /(^|[/\\])npm-cli\.js$/.test(path) ? path : null
}

/** The script behind a dependency's command, to be run with this Node. */
export function tool(packageName, command = packageName) {
  const folder = inRoot('node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

/** Whether there is a program of this name on the PATH, or at this path. On Windows the extension may be left out. */
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
