import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { linksIn, resolveLink } from '../../../../renderer/actions/links/resolve-links.ts'
import { offerFiles, offerLinks } from '../../../../renderer/actions/links/offer-links.ts'
import { closeDialog, openDialog } from '../../../../renderer/state/ui/open-dialogs.ts'
import { dismissNotice } from '../../../../renderer/state/ui/messages.ts'
import { uiStore } from '../../../../renderer/state/ui/ui-store.ts'
import { MAX_REQUEST_ITEMS } from '../../../../shared/limits.ts'
import { parseLink } from '../../../../shared/place/links.ts'
import type { Place } from '../../../../shared/place/place.ts'

describe('a link from outside', () => {
  it.each([
    ['s3://media/a b/c?d#e%20', { kind: 'object', bucket: 'media', key: 'a b/c?d#e%20' }],
    ['sluice://media/a%20b/%C3%BC%3F', { kind: 'object', bucket: 'media', key: 'a b/ü?' }],
    ['SLUICE://media/../../etc/passwd', { kind: 'object', bucket: 'media', key: '../../etc/passwd' }],
    ['sluice://media/%2e%2e%2fpasswd', { kind: 'object', bucket: 'media', key: '../passwd' }],
    ['sluice://media', { kind: 'object', bucket: 'media', key: '' }],
    ['https://example.com/a?sig=1', { kind: 'link', url: 'https://example.com/a?sig=1' }],
    ['https://me:secret@example.com/a', { kind: 'link', url: 'https://me:secret@example.com/a' }],
    ['https://me@example.com/', { kind: 'link', url: 'https://me@example.com/' }],
  ])('%s', (text, link) => {
    expect(parseLink(text)).toEqual(link)
  })

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'smb://host/share',
    'sluice:media/a',
    'plain/key',
  ])('is not one: %s', (text) => {
    expect(parseLink(text)).toBeNull()
  })

  it.each([
    'https://me:secret@',
    'https://good.example\\@evil.example/',
    'https:///path',
    'https://exa mple.com/',
    's3://key:secret@media/a',
    'sluice://media:80/a',
    'sluice://me%2Fdia/a',
    'sluice:///a',
    'sluice://media/%zz',
    'sluice://media/%00',
    'sluice://media/a%0Ab',
    'sluice://media/a?endpoint=https://evil.example',
    `sluice://media/${'a'.repeat(1025)}`,
    `s3://media/${'a'.repeat(20_000)}`,
    's3://media/a\u0007',
  ])('is refused, with words: %s', (text) => {
    expect(parseLink(text)).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^.+\.$/) as string })
  })

  it('names the key that it was made of, and nothing else', () => {
    const key = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => !/\p{Cc}|\p{Surrogate}/u.test(text))
    fc.assert(
      fc.property(key, (text) => {
        const link = `sluice://media/${encodeURIComponent(text)}`
        expect(parseLink(link)).toEqual({ kind: 'object', bucket: 'media', key: text })
      }),
    )
  })

  it('is never anything but a web address, or a bucket and a key that can be shown', () => {
    const scheme = fc.constantFrom(
      'sluice://',
      's3://',
      'https://',
      'http://',
      'SLUICE://',
      'javascript:',
      'file://',
      '',
    )
    fc.assert(
      fc.property(scheme, fc.string({ unit: 'binary' }), (start, rest) => {
        const link = parseLink(start + rest)
        if (link?.kind === 'object') {
          expect(link.bucket).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
          expect(link.key).not.toMatch(/\p{Cc}/u)
        }
        if (link?.kind === 'link') expect(link.url).toMatch(/^https?:\/\/[^/?#\\]+([/?#]|$)/i)
      }),
      { numRuns: 1000 },
    )
  })
})

const place = (id: string, bucket: string): Place =>
  ({
    ...{ id, name: id, endpoint: 'https://s3.example.com', bucket, dialect: 's3', pathStyle: true, scheme: '' },
    ...{
      signature: 'hmac-sha1',
      region: '',
      accessKeyId: 'AK',
      isDemo: false,
      profile: '',
      preset: 'storage',
      color: 'none',
    },
  }) as unknown as Place

it('finds the place that has the bucket; one for all buckets only if no other has it', () => {
  const [studio, all, other] = [place('studio', 'media'), place('all', ''), place('other', 'else')]
  const found = (text: string, places: readonly Place[], chosen: string | null = null) => {
    const resolved = resolveLink(text, places, chosen)
    return 'places' in resolved ? resolved.places.map(({ id }) => id) : resolved.kind
  }
  expect(found('s3://media/a', [all, other, studio])).toEqual(['studio'])
  expect(found('s3://new/a', [all, other, studio])).toEqual(['all'])
  expect(found('s3://new/a', [other, studio])).toBe('no-place')
  const twin = place('twin', 'media')
  expect(found('s3://media/folder/', [studio, twin], 'twin')).toEqual(['twin', 'studio'])
})

it('takes the links of what was dropped or pasted, each once, and nothing else', () => {
  const text = '# title\r\nhttps://a.example/1\r\nnot a link\nsluice://b/2\nhttps://a.example/1\nfile:///etc/passwd\n'
  expect(linksIn(text)).toEqual(['https://a.example/1', 'sluice://b/2'])
})

it('keeps all links that come while a sheet is open until it is closed', () => {
  openDialog({ kind: 'add-place' })
  offerLinks({ links: ['sluice://media/a'], leftOut: 0 })
  offerLinks({ links: ['sluice://media/b', 'sluice://media/a'], leftOut: 3 })
  expect(uiStore.getState().dialog).toEqual({ kind: 'add-place' })
  closeDialog()
  expect(uiStore.getState().dialog).toEqual({
    ...{ kind: 'links', links: ['sluice://media/a', 'sluice://media/b'], leftOut: { noLinks: 0, tooMany: 3 } },
  })
  closeDialog()
  expect(uiStore.getState().dialog.kind).toBe('none')
})

describe('files that the app was opened with', () => {
  const said = () => uiStore.getState().notice?.() ?? null

  beforeEach(() => {
    closeDialog()
    dismissNotice()
  })

  it('says which of them are not there', () => {
    offerFiles({ paths: [], missing: ['/data/a.mov', '/data/b.mov', '/data/c.mov'] })
    expect(said()).toBe('Can’t find /data/a.mov. The same goes for 2 more.')
    expect(uiStore.getState().dialog.kind).toBe('none')
  })

  it('says that they are more than can be taken, and takes none of them', () => {
    const paths = Array.from({ length: MAX_REQUEST_ITEMS + 1 }, (_, index) => `/data/${index}`)
    offerFiles({ paths, missing: [] })
    expect(said()).toMatch(/^Sluice takes up to 100,000 files at once, so none of these were added\./)
    expect(uiStore.getState().dialog.kind).toBe('none')
  })
})
