// `types-and-lint.mjs <folder>`: the compiler's and ESLint's findings in a folder that has a tsconfig.json. Both ask one
// program of TypeScript, which so works out each type once: that is most of their work.
import { ESLint } from 'eslint'
import { join } from 'node:path'
import ts from 'typescript'
import { inRoot, root } from '../paths.mjs'
import { Failure, main } from '../say.mjs'

await main(async ([folder]) => {
  const program = programOf(join(inRoot(folder), 'tsconfig.json'))
  const findings = [...typeErrors(program), await lintErrors(program, folder)].filter((text) => text !== '')
  if (findings.length > 0) throw new Failure(findings.join('\n'))
  return 0
})

/** All files of a configuration, read but not yet looked into. Throws Failure where it can't be read. */
function programOf(path) {
  const onUnRecoverableConfigFileDiagnostic = (diagnostic) => {
    throw new Failure(described(diagnostic))
  }
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic }
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(path, {}, host)
  return ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors })
}

/** What `tsc --noEmit` would say. */
function typeErrors(program) {
  return ts.getPreEmitDiagnostics(program).map(described)
}

function described(diagnostic) {
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => root, getNewLine: () => '\n' }
  return ts.formatDiagnostic(diagnostic, host).trimEnd()
}

/** What `eslint --max-warnings=0` would say of a folder. */
async function lintErrors(program, folder) {
  const parserOptions = { projectService: false, programs: [program] }
  const overrideConfig = [{ files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions } }]
  const eslint = new ESLint({ cwd: root, overrideConfig })
  const results = await eslint.lintFiles([folder])
  const formatter = await eslint.loadFormatter('stylish')
  const text = await formatter.format(results, { cwd: root, rulesMeta: {} })
  return results.some(({ messages }) => messages.length > 0) ? text.trim() : ''
}
