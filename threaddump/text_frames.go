package threaddump

// frame adds a line of the stack.
func (t *threadBuilder) frame(text []byte) {
	t.boundThread(len(t.frames), 0)
	i := t.in.frameEntry(text, parseFrame)
	if t.in.frames.entries[i].frame.whole() {
		t.in.frames.entries[t.last].next = i
	} else {
		t.oddFrame(text)
		if t.src.unended {
			return
		}
	}
	t.push(i)
}

// likelyFrames reads the lines that are the frames which followed those before
// them the last time. In most stacks most are, and need no more than a comparison.
func (t *threadBuilder) likelyFrames() {
	t.boundThread(len(t.frames), 0)
	for {
		run := t.in.frames.runAfter(t.last)
		if run == nil || !t.skipAll(run.text, len(run.frames)) {
			break
		}
		t.pushRun(run)
	}
	for {
		i := t.in.frames.after(t.last)
		if i == noFrame || !t.skip(frameBegin, t.in.frames.entries[i].frame.Text) {
			return
		}
		t.push(i)
	}
}

// push adds a frame to the stack.
func (t *threadBuilder) push(i int32) {
	e := &t.in.frames.entries[i]
	if len(t.run) == 0 {
		t.runAfter = t.last
	}
	t.run = append(t.run, i)
	t.frames, t.last = append(t.frames, e.frame), i
	t.stackHash = mixHash(t.stackHash, e.hash)
}

// pushRun adds frames that need not be remembered: they are.
func (t *threadBuilder) pushRun(run *frameRun) {
	t.endRun()
	t.frames, t.last = append(t.frames, run.frames...), run.last
	t.stackHash = t.stackHash*run.power + run.kept
}

// endRun remembers the frames that were under each other without another line.
func (t *threadBuilder) endRun() {
	if len(t.run) >= shortestRun {
		t.in.frames.addRun(t.runAfter, t.run)
	}
	t.run = t.run[:0]
}

// popAll empties the stack.
func (t *threadBuilder) popAll() {
	t.frames, t.last, t.stackHash = t.frames[:0], noFrame, 0
}

func (t *threadBuilder) oddFrame(text []byte) {
	if t.src.unended {
		t.endsInside(text, "frame")
		return
	}
	t.problem(text, "a frame without method or place")
}
