#!/usr/bin/env node
// The command line as a Node program. It ends with the command's exit status.

import { runCommandLine } from './cli/commands/command-line.ts'

process.exitCode = await runCommandLine(process.argv.slice(2))
