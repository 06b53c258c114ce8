package remote

import (
	"io"
	"os/exec"
	"sync"
	"time"
)

// client is a running ssh, docker, kubectl …
type client struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	errors bounded
	once   sync.Once

	mu     sync.Mutex
	timer  *time.Timer
	killed string // why it was killed, empty if it was not
	last   bool   // no later limit replaces this one
	ended  bool
}

// patience is how long the client may take to end after the last line of the script, as the script removes the binary.
const patience = 10 * time.Second

func startClient(argv []string) (*client, error) {
	c := &client{cmd: exec.Command(argv[0], argv[1:]...)}
	alone(c.cmd)
	c.cmd.Stderr = &c.errors
	c.cmd.WaitDelay = time.Second // for what the client has started and left
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.out, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return c, c.cmd.Start()
}

// killAfter kills the client after a time, which replaces an earlier limit; zero means never.
func (c *client) killAfter(d time.Duration, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last || c.ended {
		return
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	if d == 0 {
		return
	}
	c.timer = time.AfterFunc(d, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.ended {
			return
		}
		if c.killed = why; why == "" {
			c.kill()
		} else {
			c.stop()
		}
	})
}

// kill ends the client at once. Its children may have left its group, and still hold the output open.
func (c *client) kill() {
	kill(c.cmd)
	_ = c.out.Close()
}

// endNow ends a client whose output is endless. The rest of the output is not read.
func (c *client) endNow(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.killed, c.last = why, true
		c.kill()
	}
}

// stop ends a client that is late: jstall there removes its folder at the end of its input or at SIGTERM, and has
// [grace] for it. The caller holds the lock.
func (c *client) stop() {
	c.last = true
	_ = c.in.Close()
	terminate(c.cmd)
	c.timer = time.AfterFunc(grace, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.ended {
			c.kill()
		}
	})
}

// abandon ends a client whose output cannot be that of our script.
func (c *client) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
	}
	if !c.last && !c.ended {
		c.stop()
	}
}

// close asks the remote program to end by closing its input, and kills the client after the grace period.
func (c *client) close(grace time.Duration) {
	_ = c.in.Close()
	c.killAfter(grace, "")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = true
}

// killedFor is why the client was killed, empty if it was not.
func (c *client) killedFor() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.killed
}

// end closes the standard input of the client, which ends the remote program, and waits for the client.
func (c *client) end() {
	c.once.Do(func() {
		c.close(patience)                                 // unless it was closed before
		go func() { _, _ = io.Copy(io.Discard, c.out) }() // until Wait closes it
		_ = c.cmd.Wait()                                  // how it ended is in its state
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ended = true
		if c.timer != nil {
			c.timer.Stop()
		}
	})
}

// exit is the client's exit code, -1 if a signal ended it.
func (c *client) exit() int { return c.cmd.ProcessState.ExitCode() }

// mostErrors bounds what is kept of a standard error, in bytes.
const mostErrors = 64 << 10

// bounded keeps the first bytes of what is written. Only one goroutine writes. Readers wait until it has ended.
type bounded struct {
	kept []byte
}

func (b *bounded) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), mostErrors-len(b.kept))]...)
	return len(p), nil
}

func (b *bounded) String() string { return string(b.kept) }
