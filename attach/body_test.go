//go:build linux

package attach_test

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
)

// follow asks a fake for a dump and reads the body while it comes; calls is how often
// there was one.
func follow(t *testing.T, c *attach.Client, answer func(net.Conn),
) (whole *attach.Answer, body []byte, told int, ended error) {
	t.Helper()
	f := newFakeServer(t, os.Getpid(), 5)
	f.serve(t, answer)
	read := make(chan struct{})
	command := attach.ThreadDump(17, false)
	command.Early = func(b *attach.Body) {
		told++
		go func() {
			defer close(read)
			for ended == nil {
				more, err := b.More(len(body))
				if !strings.HasPrefix(string(more), string(body)) || len(more) <= len(body) && err == nil {
					t.Errorf("%q after %q", more, body)
				}
				body, ended = more, err
			}
		}()
	}
	whole, err := c.Execute(t.Context(), f.self(), command)
	if told > 0 {
		<-read
	}
	if (err == nil) != (ended == io.EOF) && told > 0 {
		t.Errorf("the answer ended with %v, the body with %v", err, ended)
	}
	return whole, body, told, ended
}

func TestFakeBodyByteByByte(t *testing.T) {
	long := strings.Repeat("a line of a dump\n", 10_000) // more than one buffer
	for _, want := range []string{"F", "Full\n\nthread\n", long} {
		whole, body, told, ended := follow(t, patient(), func(c net.Conn) {
			request(c)
			begin := min(len(want), 100)
			for _, b := range []byte("0\n" + want[:begin]) {
				_, _ = c.Write([]byte{b})
			}
			_, _ = io.WriteString(c, want[begin:])
		})
		if told != 1 || ended != io.EOF || string(body) != want || string(whole.Body) != want {
			t.Errorf("called %d times, %d bytes of %d, %v", told, len(body), len(want), ended)
		}
		if &body[0] != &whole.Body[0] {
			t.Error("the body is not the answer's")
		}
	}
}

func TestFakeBodyOfBadAnswers(t *testing.T) {
	for _, sent := range []string{"", "0", "0\n", "1\nno", "101\nFull", " 0\nFull", "0\r\nFull", "Hello, world\n"} {
		if _, body, told, _ := follow(t, patient(),
			func(c net.Conn) { request(c); _, _ = io.WriteString(c, sent) }); told > 0 {
			t.Errorf("%q: given %q", sent, body)
		}
	}
}

func TestFakeBodyOfCutAnswer(t *testing.T) {
	done := t.Context().Done()
	_, body, _, ended := follow(t, newClient(200*time.Millisecond), func(c net.Conn) {
		request(c)
		_, _ = io.WriteString(c, "0\nFull")
		<-done
	})
	if string(body) != "Full" || !errors.Is(ended, os.ErrDeadlineExceeded) {
		t.Errorf("%q, %v", body, ended)
	}
}

func TestFakeBodyOverTheLimit(t *testing.T) {
	c := patient()
	c.MaxAnswer = 200_000
	_, body, told, ended := follow(t, c, func(c net.Conn) {
		request(c)
		_, _ = io.WriteString(c, "0\n"+strings.Repeat("x", 300_000))
	})
	if told != 1 || len(body) > 200_000 || ended == nil || ended == io.EOF {
		t.Errorf("called %d times, %d bytes, %v", told, len(body), ended)
	}
}
