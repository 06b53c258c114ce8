package diagcmd

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// inLocale writes a saved answer as a JVM of another locale does.
func inLocale(text, sign string, zero rune) string {
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == '.' && i > 0 && i+1 < len(runes) && isDigitRune(runes[i-1]) && isDigitRune(runes[i+1]):
			b.WriteString(sign)
		case isDigitRune(r) && zero != '0':
			b.WriteRune(zero + r - '0')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isDigitRune(r rune) bool { return r >= '0' && r <= '9' }

func TestMetaspaceOfEveryLocale(t *testing.T) {
	for path, text := range saved(t, "dumps/*/*VM.metaspace.txt") {
		want := ParseMetaspace(text)
		for _, c := range []struct {
			sign string
			zero rune
		}{{",", '0'}, {"٫", '0'}, {"٫", '٠'}, {"٫", '۰'}, {".", '०'}} {
			got := ParseMetaspace(inLocale(text, c.sign, c.zero))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s with %q and %c: %+v, want %+v", path, c.sign, c.zero, got, want)
			}
		}
	}
}

// A value that is not a number is unknown, its line is reported, and the rest is read.
func TestNumbersThatAreNoneAreTold(t *testing.T) {
	path := filepath.Join("../../testdata/dumps/jdk17", "idle-jcmd-VM.metaspace.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	good := ParseMetaspace(string(text))
	broken := strings.Replace(string(text), " reserved,", "x reserved,", 1)
	broken = strings.Replace(broken, ".", ";", 1)
	got := ParseMetaspace(broken)
	if len(got.Unread) == 0 || len(got.Areas) != len(good.Areas) || len(good.Unread) > 0 {
		t.Errorf("%+v", got)
	}
	h := ParseHistogram(
		" num     #instances         #bytes  class name\n   1:          1;2         333640  [B\n" +
			"   2:          12         340  [C\nTotal  1 2\n")
	if len(h.Unread) != 1 || len(h.Classes) != 1 {
		t.Errorf("%+v", h)
	}
	i := ParseHeapInfo(" garbage-first heap   total 387;072K, used 1024K [0x0\n")
	if len(i.Unread) != 1 || i.Used.Known {
		t.Errorf("%+v", i)
	}
}
