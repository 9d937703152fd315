// `types-and-lint.mjs <folder>`: the findings of the compiler and ESLint in a folder that has a tsconfig.json. Both
// share one TypeScript program, so that each type is computed only once, which is most of their work.
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

/** All files of a configuration, parsed but not yet checked. Throws Failure if it can't be read. */
function programOf(path) {
  const onUnRecoverableConfigFileDiagnostic = (diagnostic) => {
    throw new Failure(described(diagnostic))
  }
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic }
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(path, {}, host)
  return ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors })
}

/** What `tsc --noEmit` would report. */
function typeErrors(program) {
  return ts.getPreEmitDiagnostics(program).map(described)
}

function described(diagnostic) {
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => root, getNewLine: () => '\n' }
  return ts.formatDiagnostic(diagnostic, host).trimEnd()
}

/** What `eslint --max-warnings=0` would report about a folder. */
async function lintErrors(program, folder) {
  const parserOptions = { projectService: false, programs: [program] }
  const overrideConfig = [{ files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions } }]
  const eslint = new ESLint({ cwd: root, overrideConfig })
  const results = await eslint.lintFiles([folder])
  const formatter = await eslint.loadFormatter('stylish')
  const text = await formatter.format(results, { cwd: root, rulesMeta: {} })
  return results.some(({ messages }) => messages.length > 0) ? text.trim() : ''
}
