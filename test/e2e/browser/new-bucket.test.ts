import * as http from 'node:http'
import { expect, it } from 'vitest'
import { KEPT_MS, listenUntilTestEnds } from '../../support/servers/scripted-server.ts'
import { namesIn, openStudio, openWorld, pictures, row } from '../../support/window/browser-world.ts'

/** Lists and creates buckets; other people have the names that begin with `their`. Its buckets are empty. */
async function startBuckets(names: string[]): Promise<string> {
  const answer = (method: string, name: string): readonly [status: number, body: string] => {
    if (method === 'GET' && name === '') {
      const buckets = names.map((each) => `<Bucket><Name>${each}</Name></Bucket>`)
      return [200, `<ListAllMyBucketsResult><Buckets>${buckets.join('')}</Buckets></ListAllMyBucketsResult>`]
    }
    if (method === 'GET') return [200, '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>']
    if (name.startsWith('their')) return [409, '<Error><Code>BucketAlreadyExists</Code></Error>']
    if (names.includes(name)) return [409, '<Error><Code>BucketAlreadyOwnedByYou</Code></Error>']
    names.push(name)
    return [200, '']
  }
  return listenUntilTestEnds(
    http.createServer({ keepAliveTimeout: KEPT_MS }, (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://any')
      const [status, body] = searchParams.has('uploads')
        ? ([200, '<ListMultipartUploadsResult/>'] as const)
        : answer(request.method ?? '', pathname.split('/')[1] ?? '')
      request.resume().on('end', () => response.writeHead(status).end(body))
    }),
  )
}

async function openBuckets(names: string[]) {
  const endpoint = await startBuckets(names)
  const world = await openWorld({ endpoint, dialect: 's3', bucket: '' })
  await openStudio(world.page)
  const sheet = world.page.getByRole('dialog', { name: 'New bucket' })
  return {
    ...world,
    ...{ sheet, name: sheet.getByLabel('Name'), create: sheet.getByRole('button', { name: 'Create bucket' }) },
    grid: world.page.getByRole('grid', { name: 'Files' }),
    tools: world.page.getByRole('toolbar', { name: 'Actions' }),
  }
}

it('creates the first bucket of a place, whose name is checked while it is typed', async () => {
  const world = await openBuckets([])
  const { page, grid, sheet, name, create, tools } = world
  await page.getByText('Studio has no buckets yet.').waitFor()
  await pictures(world, 'new-bucket-first')
  await page.getByRole('main').getByRole('button', { name: 'New bucket…' }).click()
  await sheet.getByText('3 to 63 lowercase letters, digits, hyphens and dots').waitFor()
  for (const [typed, said] of [
    ['My', 'Use only lowercase letters, digits, hyphens and dots.'],
    ['-my', 'Begin with a letter or digit.'],
    ['my..b', 'Two dots can’t follow each other.'],
    ['10.0.0.1', 'A bucket’s name can’t look like an IP address.'],
    ['x'.repeat(64), 'A bucket’s name can’t be longer than 63 characters.'],
    ['xn--bucket', 'Names with “xn--” are reserved.'],
  ] as const) {
    await name.fill(typed)
    await sheet.getByText(said).waitFor()
    expect(await create.isDisabled()).toBe(true)
  }
  await pictures(world, 'new-bucket-name')
  // What typing on may mend is no fault yet.
  await name.fill('my-')
  await sheet.getByText('3 to 63 lowercase letters, digits, hyphens and dots').waitFor()
  expect(await create.isDisabled()).toBe(true)
  await name.fill('my-bucket')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Bucket my-bucket created.' }).waitFor()
  await grid.getByRole('row', { name: 'my-bucket, bucket', selected: true }).waitFor()
  await tools.getByRole('button', { name: 'Refresh' }).click()
  await row(grid, 'my-bucket, bucket').dblclick()
  await page.getByText('This bucket is empty').waitFor()
  // In a bucket, the same button makes folders.
  await tools.getByRole('button', { name: 'New folder…' }).waitFor()
})

it('says why a bucket can’t be created, and shows one that came about all the same', async () => {
  const world = await openBuckets(['mine'])
  const { page, grid, sheet, name, create, tools, proxy } = world
  await row(grid, 'mine, bucket').waitFor()
  await tools.getByRole('button', { name: 'New bucket…' }).click()
  await name.fill('mine')
  await sheet.getByText('You already have a bucket named “mine”.').waitFor()
  expect(await create.isDisabled()).toBe(true)
  await name.fill('theirs')
  await create.click()
  await sheet.getByText('Somebody else has a bucket named “theirs”').waitFor()
  await pictures(world, 'new-bucket-taken')

  for (const [code, said] of [
    ['AccessDenied', 'The key for Studio isn’t allowed to create buckets.'],
    ['InvalidBucketName', 'Studio doesn’t accept “fresh” as the name of a bucket.'],
    ['TooManyBuckets', 'You have as many buckets as Studio allows.'],
  ] as const) {
    const body = `<Error><Code>${code}</Code></Error>`
    const refused = proxy.rule({ when: { method: 'PUT' }, times: 1, fault: { kind: 'response', status: 400, body } })
    await name.fill('fresh')
    await create.click()
    await sheet.getByText(said).waitFor()
    expect(refused.hits).toBe(1)
  }

  const lost = proxy.rule({ when: { method: 'PUT' }, times: 1, fault: { kind: 'drop-response' } })
  await create.click()
  await sheet.getByText('Studio isn’t responding.').waitFor()
  expect(lost.hits).toBe(1)
  await sheet.getByText('You already have a bucket named “fresh”.').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => namesIn(grid)).toEqual(['fresh, bucket', 'mine, bucket'])
})

it('opens the new bucket where the key may not list buckets, and offers none where none can be created', async () => {
  const { page, name, tools, proxy, sheet } = await openBuckets([])
  await page.getByText('Studio has no buckets yet.').waitFor()
  const body = '<Error><Code>AccessDenied</Code></Error>'
  proxy.rule({ when: { method: 'GET', path: /^\/$/ }, fault: { kind: 'response', status: 403, body } })
  await tools.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('The key for Studio isn’t allowed to list its buckets.').waitFor()
  await tools.getByRole('button', { name: 'New bucket…' }).click()
  await name.fill('hidden')
  await page.keyboard.press('Enter')
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Folder' }).getByText('hidden', { exact: true }).waitFor()
  await page.getByText('This bucket is empty').waitFor()

  const other = await openWorld({ bucket: '' })
  await openStudio(other.page)
  await row(other.page.getByRole('grid', { name: 'Files' }), 'media, bucket').waitFor()
  const button = other.page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'New folder…' })
  expect(await button.getAttribute('aria-disabled')).toBe('true')
})
