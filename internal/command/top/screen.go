package top

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/top"
)

// framesPerSecond bounds how often the terminal is drawn.
const framesPerSecond = 20

// topScreen connects the model with the terminal.
type topScreen struct {
	model  *top.Model
	reader *topReader
	seen   bool // there was a reading
	drawn  string
	// writing counts the recordings in progress.
	writing *sync.WaitGroup
	// failed is why the program ends, nil if the user ended it.
	failed error
}

// readingMsg is a reading of the JVM, endedMsg the end of all readings, savedMsg the result of a recording.
type (
	readingMsg top.Reading
	endedMsg   struct{ why error }
	savedMsg   string
)

// runTop shows the screen until the user, a signal or an error ends it. Then it restores the terminal.
func runTop(ctx context.Context, env *shell.Env, r *topReader, o top.Options) error {
	profile := colorprofile.ASCII
	if o.Color {
		profile = colorprofile.ANSI
	}
	s := &topScreen{model: top.New(o), reader: r, writing: &sync.WaitGroup{}}
	program := tea.NewProgram(s, tea.WithContext(ctx), tea.WithInput(env.Stdin), tea.WithOutput(terminalOf(env)),
		tea.WithColorProfile(profile), tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler())
	reading, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := shell.Caught(func() error {
			return r.run(reading, func(t top.Reading) { program.Send(readingMsg(t)) })
		})
		if reading.Err() == nil {
			program.Send(endedMsg{err})
		}
	}()
	_, err := program.Run()
	stop()
	<-done
	s.finishWriting()
	switch {
	case s.failed != nil:
		return s.failed
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, tea.ErrProgramPanic):
		return shell.NoResult("please report this error with the output above", "the screen of top failed")
	}
	return err
}

// terminalOf is the original standard output, as the size of the terminal is read from the file.
func terminalOf(env *shell.Env) io.Writer {
	if checked, ok := env.Stdout.(*shell.CheckedWriter); ok {
		return checked.W
	}
	return env.Stdout
}

// finishWriting waits a limited time for recordings in progress.
func (s *topScreen) finishWriting() {
	written := make(chan struct{})
	go func() {
		s.writing.Wait()
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(recordTimeout):
	}
}

// Init has nothing to do: readings come by themselves.
func (s *topScreen) Init() tea.Cmd { return nil }

// Update takes a message: a key, a reading, the size of the terminal.
func (s *topScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var next tea.Cmd
	if p := caught.Try(func() { next = s.update(msg) }); p != nil && s.failed == nil {
		s.failed = p
	}
	if s.failed != nil {
		return s, tea.Quit
	}
	return s, next
}

func (s *topScreen) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.model.Resize(msg.Width, msg.Height)
	case tea.ResumeMsg: // output of the shell may have moved the lines meanwhile
		return tea.ClearScreen
	case tea.PasteMsg:
		s.model.Paste(msg.Content)
	case tea.KeyPressMsg:
		return s.key(msg)
	case readingMsg:
		s.seen = true
		s.model.Apply(top.Reading(msg))
		return tea.ClearScreen // the library moves lines that are pushed down, and may lose count of them
	case endedMsg:
		if !s.seen {
			s.failed = msg.why
			return tea.Quit
		}
		s.model.Ended(shell.Failure(msg.why).Message)
	case savedMsg:
		s.model.Say(string(msg))
	}
	return nil
}

func (s *topScreen) key(msg tea.KeyPressMsg) tea.Cmd {
	action := s.model.Key(msg.String())
	s.reader.pause.set(s.model.Paused())
	switch action {
	case top.Quit:
		return tea.Quit
	case top.Suspend:
		return tea.Suspend
	case top.Record:
		s.model.Say("writing the latest readings")
		s.writing.Add(1)
		return func() tea.Msg {
			defer s.writing.Done()
			said := ""
			if err := shell.Caught(func() error { said = s.reader.record(); return nil }); err != nil {
				said = "the recording failed: " + shell.Failure(err).Message
			}
			return savedMsg(said)
		}
	}
	return nil
}

// View draws the screen.
func (s *topScreen) View() tea.View {
	if p := caught.Try(func() { s.drawn = s.model.View() }); p != nil && s.failed == nil {
		s.failed = p // the next message ends the program
	}
	v := tea.NewView(s.drawn)
	v.AltScreen = true
	return v
}
