/** What `sluice --help` prints. */
export const HELP = `Sluice moves big files in and out of object storage and never loses a byte of progress.

  sluice get <source> [<dest>]            download a key, a prefix that ends in /, or an http(s) link
  sluice get <source>… <folder>           download several; what fails is named, the others come
  sluice get -i <file> [<folder>]         download what a text file lists, one a line; - is standard input
  sluice put <file>… <target>             upload files to a key, or to a prefix that ends in /
  sluice complete <key or url> --parts <file.json> [--upload-id <id>] [<file>]
                                          complete an upload whose parts are known; with the local
                                          file, send those that are missing first
  sluice uploads [list]                   list unfinished uploads
  sluice uploads finish <file> <key>      continue one with the local file
  sluice uploads parts <key> [--upload-id <id>]
                                          print the parts of one, for --parts
  sluice uploads abort <key> --upload-id <id>
  sluice ls [<prefix>]                    list objects; without --bucket, the buckets
  sluice serve --dir <dir> [--port <n>] [--bucket demo] [--access-key K | --anonymous]
                                          run the embedded object storage service

Connection: --endpoint --bucket --dialect storage|s3 --access-key --region --path-style
            --secret-key-file <path, - for standard input> (--secret-key shows it to other programs)
            --scheme --signature hmac-sha1|hmac-sha256|none --profile <name of ~/.aws>
            or SLUICE_ENDPOINT, SLUICE_BUCKET, SLUICE_ACCESS_KEY, SLUICE_SECRET_KEY and so on
            HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are obeyed; SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and
            AWS_CA_BUNDLE name certificates to trust
Transfers:  --state-dir <dir> --connections <n> --part-size <MiB> --limit-rate <bytes/s, K M G>
            --give-up-after <seconds without progress; left out: 18 where nobody is there, else 900>
            --overwrite (get) --if-exists replace|skip|skip-identical|keep-both (put) --json

Ctrl+C lets end what is nearly there, a second one stops at once.
The same command again continues where it stopped. Exit status: 0 done and checked, 1 needs a person,
2 wrong usage, 3 stopped and can be continued (a signal, a full or read-only disk, a server that stayed away).`
