import js from '@eslint/js'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import ts from 'typescript-eslint'
import { fileHeader } from './scripts/lib/lint/file-header.mjs'
import { cataloged } from './scripts/lib/lint/cataloged.mjs'

const SYNC_FS =
  '/^(access|append|chmod|chown|close|copy|cp|exists|fdatasync|fstat|fsync|ftruncate|link|lstat|mkdir|mkdtemp|open|opendir|read|readdir|readlink|readv|realpath|rename|rm|rmdir|stat|statfs|symlink|truncate|unlink|utimes|write|writev)\\w*Sync$/'
const noSyncFs = {
  selector: `ImportDeclaration[source.value=/^node:(fs|child_process)$/] ImportSpecifier[imported.name=/Sync$/], MemberExpression[property.name=${SYNC_FS}]`,
  message: 'The main process must never wait for the disk: use node:fs/promises.',
}
/** What a window's page may do is written down where the window is made, so that a reader and a test can see it. */
const lockedWindows = [
  'Property[key.name="webPreferences"][value.type!="ObjectExpression"]',
  'Property[key.name="webPreferences"] SpreadElement',
  'NewExpression[callee.name=/^(BrowserWindow|BaseWindow|BrowserView|WebContentsView)$/] SpreadElement',
  'NewExpression[callee.name=/^(BrowserWindow|BaseWindow|BrowserView|WebContentsView)$/][arguments.0.type!="ObjectExpression"]',
].map((selector) => ({ selector, message: 'Write down what the window may, here: nothing is spread or passed on.' }))
const oneParser = {
  selector: 'MemberExpression[property.name=/^(safeParse|safeParseAsync|parseAsync)$/]',
  message: 'Zod throws for some values: use `fitting` or `parseForeign` of electron/parsing.',
}
const noElectron = { name: 'electron', message: 'Only the main process imports electron, and its engine does not.' }
const noIpcMain = {
  name: 'electron',
  importNames: ['ipcMain'],
  message: 'Requests enter through electron/ipc/validated-ipc.ts only.',
}

const sluice = { rules: { 'file-header': fileHeader, cataloged } }

// ESLint insists on a default export here.
export default ts.config(
  { ignores: ['out/', 'dist/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingAny: true, allowThrowingUnknown: true }],
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      '@typescript-eslint/require-await': 'off', // an async function may answer an asynchronous interface at once
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/unbound-method': 'off', // no object here has methods that need their `this`
      'no-restricted-syntax': [
        'error',
        noSyncFs,
        ...lockedWindows,
        oneParser,
        { selector: 'ExportDefaultDeclaration', message: 'Export by name: one thing has one name everywhere.' },
      ],
    },
  },
  {
    files: ['{shared,renderer,electron}/**/*.{ts,tsx}'],
    plugins: { sluice },
    rules: { 'sluice/file-header': 'error' },
  },
  {
    files: ['{shared,renderer}/**/*.{ts,tsx}', 'electron/{app,ipc,services,shell}/**/*.ts'],
    plugins: { sluice },
    rules: { 'sluice/cataloged': 'error' },
  },
  {
    files: ['{shared,renderer,electron/engine,electron/stores,electron/demo-store}/**'],
    rules: restrictImports(noElectron),
  },
  { files: ['electron/cli.ts', 'electron/cli/**'], rules: restrictImports(noElectron) },
  {
    files: ['electron/*.ts', 'electron/{app,ipc,services,shell}/**'],
    ignores: ['electron/ipc/validated-ipc.ts', 'electron/cli.ts'],
    rules: restrictImports(noIpcMain),
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended, jsxA11y.flatConfigs.strict],
    // Dialogs of React Aria move the focus inside by this property, as they must.
    rules: { 'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }] },
  },
  { files: ['electron/cli.ts', 'electron/cli/**', 'scripts/**', 'test/**'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'Buffer',
          'URL',
          'fetch',
          'AbortSignal',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  { files: ['test/**'], rules: { 'max-lines-per-function': 'off', 'no-restricted-syntax': 'off' } },
  {
    files: ['test/**'],
    ignores: ['test/support/tools/when-holds.ts'],
    rules: {
      // A second, which they wait by default, is little for a busy machine.
      'no-restricted-properties': [
        'error',
        ...['waitFor', 'waitUntil'].map((property) => ({ object: 'vi', property, message: 'Use `whenHolds`.' })),
      ],
    },
  },
  { files: ['*.config.{ts,js}', 'electron/parsing/fitting.ts'], rules: { 'no-restricted-syntax': 'off' } },
)

function restrictImports(...paths) {
  return { 'no-restricted-imports': ['error', { paths }] }
}
