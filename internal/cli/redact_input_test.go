package cli

import (
	"bytes"
	"compress/gzip"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/internal/shell"
)

const secretText = "2026-11-21 password=hunter22 \x1b[31mé\xe9\x1b[0m\n"

func gzipped(t *testing.T, content string) string {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(content)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return packed.String()
}

// inUTF16 is ASCII text in UTF-16LE.
func inUTF16(text string) string { return strings.ReplaceAll(text, "", "\x00")[1:] }

func TestCompressedTextIsRedactedUnpacked(t *testing.T) {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"plain": secretText, "empty": "", "UTF-16": "\xff\xfe" + inUTF16(secretText), "no UTF-16": secretText,
		"a.gz": gzipped(t, secretText), "a.zst": string(z.EncodeAll([]byte(secretText), nil)),
	} {
		file, out := saveBytes(t, name, []byte(content)), filepath.Join(t.TempDir(), "out")
		inFile, piped := run(t, "", "redact", file, out), run(t, content, "redact", "-", "-")
		written, err := os.ReadFile(out)
		if err != nil || inFile.code != shell.ExitDone || piped.code != shell.ExitDone ||
			string(written) == "" != (name == "empty") {
			t.Fatalf("%s: exit %d and %d, %v\n%s", name, inFile.code, piped.code, err, inFile.stderr)
		}
		for _, got := range []string{string(written), piped.stdout} {
			if strings.Contains(got, "hunter22") || name != "empty" &&
				!strings.HasPrefix(got, "2026-11-21 password=redacted-password-") {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

// What the rules cannot read is refused, and no file says that it was redacted.
func TestWhatIsNoTextIsNotPassedOn(t *testing.T) {
	noise := make([]byte, 200)
	random := rand.NewChaCha8([32]byte{})
	for i := range noise {
		noise[i] = 1 + byte(random.Uint64()%255)
	}
	for content, says := range map[string]string{
		"\x04\x22\x4d\x18" + secretText:                         "compressed with lz4",
		"PK\x03\x04" + secretText:                               "a zip archive",
		"FLR\x00\x00\x02" + secretText:                          "the recording cannot be read: chunk 0",
		strings.Join(strings.Split(secretText, ""), "\x00"):     "binary",
		secretText + "\x00":                                     "binary",
		string(noise):                                           "binary",
		gzipped(t, "PK\x03\x04"+secretText):                     "a zip archive",
		gzipped(t, gzipped(t, secretText)):                      "compressed with gzip",
		gzipped(t, secretText)[:len(gzipped(t, secretText))-12]: "the gzip data is damaged",
	} {
		out := filepath.Join(t.TempDir(), "out")
		inFile, piped := run(t, "", "redact", saveBytes(t, "in", []byte(content)), out),
			run(t, content, "redact", "-", "-")
		for _, got := range []ran{inFile, piped} {
			if got.code != shell.ExitNothing || got.stdout != "" || !strings.Contains(got.stderr, says) ||
				!strings.Contains(got.stderr, "hint: ") {
				t.Errorf("%q: exit %d, %q\n%s", says, got.code, got.stdout, got.stderr)
			}
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a file was written", says)
		}
	}
}
