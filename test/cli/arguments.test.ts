import { describe, expect, it } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { parseCommand, parseRate } from '../../electron/cli/arguments.ts'
import { UsageError } from '../../electron/cli/usage-error.ts'

const parse = (line: string, environment: Record<string, string> = {}) =>
  parseCommand(line === '' ? [] : line.split(' '), environment)

describe('the command line', () => {
  it('shows help without a command', () => {
    expect(parse('')).toEqual({ name: 'help', of: null })
    expect(parse('--help')).toEqual({ name: 'help', of: null })
    expect(parse('help')).toEqual({ name: 'help', of: null })
  })

  it('shows the help of a command, however it is asked for', () => {
    for (const line of ['put --help', 'put -h a b', 'help put'])
      expect(parse(line)).toEqual({ name: 'help', of: 'put' })
    for (const line of ['pott --help', 'help pott'])
      expect(() => parse(line)).toThrow('There is no command “pott”. See sluice help.')
  })

  it('refuses streams in place of files, which could not be continued', () => {
    expect(() => parse('put - key')).toThrow(
      'put uploads files, not standard input. A file of the name - is given as ./-.',
    )
    expect(() => parse('get key -')).toThrow('get saves to files, not to standard output.')
    expect(parse('put ./- key')).toMatchObject({ files: ['./-'] })
    expect(parse('get -i - folder/')).toMatchObject({ listFile: '-', dest: 'folder/' })
  })

  it('names the commands that others call otherwise', () => {
    expect(() => parse('cp a b')).toThrow('There is no command “cp”. Did you mean put or get?')
    expect(() => parse('upload a b')).toThrow('Did you mean put?')
  })

  it('takes keys without the white space of a file, and refuses what no key has without repeating it', () => {
    const keys = (accessKey: string) => ({ SLUICE_ACCESS_KEY: accessKey, SLUICE_SECRET_KEY: ' ünlike\r\n' })
    const connection = { accessKeyId: 'K', secretAccessKey: 'ünlike' }
    expect(parse('ls', keys('K\r'))).toMatchObject({ options: { connection } })
    expect(parse('serve --dir d', keys('K\r'))).toMatchObject({ credentials: connection })
    expect(() => parse('ls', keys('hidden\u200b'))).toThrow(new UsageError('The key has a character that no key has.'))
  })

  it.each([
    ['an option, before keys of variables', '--profile p', { accessKeyId: null, profile: 'p' }],
    ['an option, after a key of an option', '--profile p --access-key A', { accessKeyId: 'A', profile: null }],
    ['a variable, after keys of variables', '', { accessKeyId: 'K', profile: null }],
  ])('takes a profile of %s', (_what, options, connection) => {
    const variables = { SLUICE_ACCESS_KEY: 'K', SLUICE_SECRET_KEY: 'S', SLUICE_PROFILE: 'other' }
    expect(parse(`ls --dialect s3 ${options}`.trim(), variables)).toMatchObject({ options: { connection } })
  })

  it('takes the connection from options first, then from the environment', () => {
    const command = parse('get key file --bucket one --path-style', {
      SLUICE_ENDPOINT: 'http://127.0.0.1:9000',
      SLUICE_BUCKET: 'two',
      SLUICE_ACCESS_KEY: 'K',
      SLUICE_SECRET_KEY: 'S',
      SLUICE_SIGNATURE: 'hmac-sha256',
    })
    expect(command).toMatchObject({
      name: 'get',
      sources: ['key'],
      listFile: null,
      dest: 'file',
      options: {
        connection: {
          endpoint: 'http://127.0.0.1:9000',
          bucket: 'one',
          accessKeyId: 'K',
          secretAccessKey: 'S',
          pathStyle: true,
          signature: 'hmac-sha256',
          dialect: 'storage',
        },
      },
    })
  })

  it('takes several files and one target', () => {
    expect(parse('put a b c folder/')).toMatchObject({ name: 'put', files: ['a', 'b', 'c'], target: 'folder/' })
  })

  it('reads sizes and rates in their units', () => {
    const command = parse('put a b --part-size 16 --limit-rate 1.5M --connections 8')
    expect(command).toMatchObject({
      options: { partSizeBytes: 16 * MIB, limitBytesPerSecond: 1.5 * MIB, connections: 8 },
    })
    expect(parseRate('65536')).toBe(65_536)
  })

  it.each([
    'fly away',
    'get',
    'get -i list a b',
    'put onlyone',
    'get a --connections 0',
    'get a --connections many',
    'get a --unknown',
    'put a b --part-size 5',
    'get a --limit-rate fast',
    'get a --limit-rate 10',
    'get a --dialect ftp',
    'get a --signature md5',
    'complete key --upload-id 1',
    'complete --parts p.json',
    'uploads forget',
    'uploads abort key',
    'serve',
    'serve --dir d',
    'serve --dir d --anonymous --access-key K',
    'serve --dir d --anonymous --port 70000',
    'serve --dir d --anonymous --region x',
    'get a --if-exists skip',
    'put a b --overwrite',
    'ls --parts p.json',
    'ls --limit-rate 1M',
    'get a --part-size 16',
    'uploads --state-dir d',
    'uploads finish a b --upload-id 1',
    'manual page',
  ])('refuses “%s”', (line) => {
    expect(() => parse(line)).toThrow(UsageError)
  })

  it.each([
    [
      'get a --unknown',
      'There is no option --unknown. See sluice help. A name that begins with “-” comes last, after “--”.',
    ],
    ['get a --endpont=hush', 'There is no option --endpont. Did you mean --endpoint?'],
    ['get a --limit 5M', 'There is no option --limit. Did you mean --limit-rate?'],
    // Two begin like that, and none of them is nearer.
    [
      'get a --se=hush',
      'There is no option --se. See sluice help. A name that begins with “-” comes last, after “--”.',
    ],
    ['get a -x', 'There is no option -x. See sluice help. A name that begins with “-” comes last, after “--”.'],
    ['get a --limit-rate', '--limit-rate needs a value.'],
    ...['0', '999999G', 'fast'].map((rate) => [
      `get a --limit-rate ${rate}`,
      `--limit-rate is from 1K to 900G bytes a second, such as 500K, 40M or 1G, and can’t be “${rate}”.`,
    ]),
    ['get a -i', '--input-file needs a value.'],
    ['get a --secret-key -hush', '--secret-key needs a value; one that begins with “-” is written --secret-key=-….'],
    ['get a --json=hush', '--json takes no value.'],
    ['put a b --overwrite', 'put takes no --overwrite. See sluice put --help.'],
    ['uploads --connections 4', 'uploads list takes no --connections. See sluice uploads --help.'],
    ['uploads abort key --limit-rate 1M', 'uploads abort takes no --limit-rate. See sluice uploads --help.'],
    ['uploads finish a b --overwrite', 'uploads takes no --overwrite. See sluice uploads --help.'],
    ['get -i list folder other', 'Usage: sluice get -i <file> [<folder>]'],
    ['complete key', 'Usage: sluice complete <key or url> --parts <file.json> [--upload-id <id>] [<file>]'],
    ['cp a b', 'There is no command “cp”. Did you mean put or get?'],
    ['Gte a b', 'There is no command “Gte”. Did you mean get?'],
    ['compl key', 'There is no command “compl”. See sluice help.'],
    ['upload a b', 'There is no command “upload”. Did you mean put?'],
    ['help serv', 'There is no command “serv”. Did you mean serve?'],
    ['uploads abrt key', 'There is no command “uploads abrt”. Did you mean uploads abort?'],
    ['uploads remove key', 'There is no command “uploads remove”. See sluice help uploads.'],
    ['uploads list all', 'Usage: sluice uploads [list]'],
    ['uploads abort key', 'Usage: sluice uploads abort <key> --upload-id <id>'],
  ])('says in one plain sentence what is wrong with “%s”', (line, sentence) => {
    expect(() => parse(line)).toThrow(new UsageError(sentence))
  })

  it('takes a name that looks like an option after --', () => {
    expect(parse('get -- -x --y')).toMatchObject({ sources: ['-x'], dest: '--y' })
  })

  it('serves with keys or anonymously', () => {
    expect(parse('serve --dir d --anonymous')).toEqual({
      name: 'serve',
      directory: 'd',
      port: 0,
      bucket: 'demo',
      credentials: null,
    })
    expect(parse('serve --dir d --access-key K --secret-key S --port 8080 --bucket b --json')).toMatchObject({
      port: 8080,
      bucket: 'b',
      credentials: { accessKeyId: 'K', secretAccessKey: 'S' },
    })
  })
})
