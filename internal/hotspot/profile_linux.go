package hotspot

import (
	"bytes"
	"context"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/perf"
	"github.com/jstall/jstall/internal/unwind"
)

// Profile samples the threads of a process while they run, and reads their stacks. Nothing is stopped.
type Profile struct {
	*perf.Sampling

	process *Process
	reader  *thread.Reader
	modules *unwind.Modules
	mapped  bool // the modules were read again for this batch
	// kernel has the kernel's functions, nil before a sample has one.
	kernel  *unwind.KernelSymbols
	threads map[int]*profiled // by the kernel's ids
	files   *kernel.Opener
	opened  uint64 // by the samples' clock
}

// profiled is what is known of a thread, from when it was first sampled.
type profiled struct {
	name string
	java bool
	// address is that of its JavaThread, 0 if it has none.
	address, stackHigh uint64
}

const (
	// sampledStack is how much of a stack is copied for each sample of a profile, in bytes.
	sampledStack = 32 << 10
	// mostSources is how many methods and pieces of code are remembered.
	mostSources = 1 << 17
)

// Profile opens the sampling of the process: a sample of each thread after it has run for period. Without the right
// to sample the error is fs.ErrPermission.
func (p *Process) Profile(ctx context.Context, period time.Duration) (*Profile, error) {
	r, err := p.JVM.reader(ctx)
	if err != nil {
		return nil, err
	}
	registers := stack.SampleMask(p.Machine)
	s, err := perf.OpenSampling(perf.Options{Registers: registers, Stack: sampledStack, Period: period})
	if err != nil {
		return nil, err
	}
	profile := &Profile{Sampling: s, process: p, reader: r, threads: map[int]*profiled{}, files: p.proc.Opener(p.pid)}
	profile.readMappings()
	profile.opened = s.Now()
	return profile, nil
}

// MaySample reports whether the threads of a process may be sampled, and whether with the kernel's own code. It samples
// nothing. Without the right the error is fs.ErrPermission.
func MaySample(pid int) (kernel bool, err error) { return perf.MaySample(pid) }

// Close ends the sampling.
func (p *Profile) Close() {
	p.Sampling.Close()
	p.files.Close()
}

// Stacks reads the stacks of what was sampled since the last call.
func (p *Profile) Stacks(ctx context.Context) (RunBatch, error) {
	batch, err := p.Read()
	out := RunBatch{Lost: batch.Lost}
	if err != nil {
		return out, err
	}
	if err := p.begin(ctx); err != nil {
		return out, err
	}
	p.findThreads(batch)
	out.Samples = make([]RunSample, len(batch.Samples))
	for i := range batch.Samples {
		out.Samples[i] = p.stack(&batch.Samples[i])
	}
	p.recheckSamples(batch, out.Samples)
	out.Ended = p.forgetEnded(batch.Ended)
	return out, p.reader.Err
}

// forgetEnded returns what ended threads have used; another one may get the id.
func (p *Profile) forgetEnded(ended []perf.Ended) map[int]Used {
	threads := map[int]Used{}
	for _, e := range ended {
		used := threads[e.TID]
		if t := p.threads[e.TID]; t != nil {
			used.Name = t.name
		}
		used.CPU += e.CPU
		threads[e.TID] = used
	}
	for tid := range threads {
		delete(p.threads, tid)
	}
	return threads
}

// begin lets the reader see memory as it is now. What it knows of methods and code stays, see recheckSamples.
func (p *Profile) begin(ctx context.Context) error {
	r := p.reader
	r.Ctx, r.Err, r.Left, r.Failed = ctx, nil, vm.MaxBytes, 0
	r.Forget()
	r.Objects.Err, r.Objects.Left = nil, vm.MaxBytes
	r.Objects.Ctx = ctx
	r.Objects.Forget()
	if len(r.Sources) > mostSources {
		r.ForgetCode()
	}
	blobs := r.Code.Blobs
	r.Code = stack.CodeCache{}
	err := r.ReadCode()
	r.Code.Blobs = blobs
	p.mapped = false
	return err
}

// recheckSamples reads the stacks again that used a method or code that has changed since it was first read.
func (p *Profile) recheckSamples(batch perf.Batch, samples []RunSample) {
	for again := range 2 {
		used := map[*stack.Source]bool{}
		for i := range samples {
			for _, s := range samples[i].Stack.Uses {
				used[s] = true
			}
		}
		changed := p.reader.ChangedOf(maps.Keys(used))
		if len(changed) == 0 {
			return
		}
		p.reader.ForgetCode()
		for i := range samples {
			if !slices.ContainsFunc(samples[i].Stack.Uses, func(s *stack.Source) bool { return changed[s] }) {
				continue
			}
			if again == 0 {
				samples[i] = p.stack(&batch.Samples[i])
			} else {
				samples[i].Stack = stack.SampledStack{Cut: "its code changed while it was read"}
			}
		}
	}
}

// stack reads the stack of one sample.
func (p *Profile) stack(s *perf.Sample) RunSample {
	t := p.threads[s.TID]
	if t == nil {
		t = &profiled{}
	}
	out := RunSample{TID: s.TID, At: time.Duration(s.Time - min(s.Time, p.opened)), Thread: t.name, Java: t.java}
	for _, at := range s.Kernel {
		out.Stack.Frames = append(out.Stack.Frames, stack.SampledFrame{Text: p.kernelFunction(at)})
	}
	of := stack.NativeRegisters[p.process.Machine]
	if len(s.Registers) != len(of.Sampled) {
		return out // a thread of the kernel, or one that has left its memory
	}
	mask := stack.SampleMask(p.process.Machine)
	var registers unwind.Registers
	for dwarf, number := range of.Sampled {
		registers.Set(dwarf, s.Registers[bits.OnesCount64(mask&(1<<number-1))])
	}
	w := &stack.SampleWalk{
		Reader: &p.reader.Reader, Modules: p.modules, Symbols: p.fileSymbols, Numbers: of.Numbers, Stack: out.Stack,
	}
	if p.reader.Thread.Continuation.Known && t.address != 0 {
		w.Entry = p.reader.Pointer(t.address, p.reader.Thread.Continuation)
	}
	out.Stack = w.WalkSample(registers, s.Stack, t.stackHigh)
	if out.Stack.Cut != "" && !p.mapped && len(out.Stack.Frames) == len(s.Kernel) { // perhaps a new library
		p.readMappings()
	}
	return out
}

// fileSymbols reads the functions of a library of the process.
func (p *Profile) fileSymbols(path string) unwind.Symbols {
	symbols, _ := kernel.ReadParts(p.files, path, unwind.ReadSymbols)
	return symbols
}

// kernelFunction is the name of a function of the kernel. All names are read with the first one.
func (p *Profile) kernelFunction(at uint64) string {
	if p.kernel == nil {
		p.kernel = unwind.ReadKernelSymbols(strings.NewReader(""))
		if file, err := p.process.proc.OpenSymbols(); err == nil {
			p.kernel = unwind.ReadKernelSymbols(file)
			_ = file.Close()
		}
	}
	return p.kernel.Function(at)
}

// readMappings reads which files are mapped. What cannot be read is no part of a stack then.
func (p *Profile) readMappings() {
	p.mapped = true
	text, err := p.process.proc.ReadFile(p.process.pid, "maps")
	if err == nil {
		p.modules = unwind.NewModules(vm.ProcessMemory(p.process.pid), parseMappings(text))
	}
}

// parseMappings reads lines of maps that name a file, or code of the kernel for the process: "[vdso]".
func parseMappings(text []byte) []unwind.Mapping {
	const path = 5 // after address, permissions, offset, device, inode
	var mappings []unwind.Mapping
	for line := range bytes.Lines(text) {
		part := bytes.Fields(line)
		if len(part) <= path || part[path][0] != '/' && string(part[path]) != "[vdso]" {
			continue
		}
		name := bytes.TrimRight(line[bytes.Index(line, part[path]):], "\n")
		low, high, _ := bytes.Cut(part[0], []byte{'-'})
		start, err := strconv.ParseUint(string(low), 16, 64)
		end, errEnd := strconv.ParseUint(string(high), 16, 64)
		if err == nil && errEnd == nil {
			mappings = append(mappings, unwind.Mapping{Start: start, End: end, File: string(name)})
		}
	}
	return mappings
}

// findThreads finds out who the threads are that were sampled for the first time.
func (p *Profile) findThreads(batch perf.Batch) {
	unknown := map[int]bool{}
	for i := range batch.Samples {
		if tid := batch.Samples[i].TID; p.threads[tid] == nil {
			unknown[tid] = true
		}
	}
	if len(unknown) > 0 {
		p.findNew(unknown)
	}
	for _, n := range batch.Names { // of threads that have started, and may have ended
		if t := p.threads[n.TID]; t != nil && !t.java {
			t.name = n.Comm
		} else if t == nil {
			p.threads[n.TID] = &profiled{name: n.Comm}
		}
	}
}

func (p *Profile) findNew(unknown map[int]bool) {
	r := p.reader
	only := make([]int, 0, len(unknown))
	for tid := range unknown {
		only = append(only, tid)
	}
	tasks, _ := p.process.proc.Tasks(p.process.pid, kernel.TaskOptions{Comm: true, Only: only})
	byNID := map[int]*profiled{}
	for tid, task := range tasks {
		t := &profiled{name: task.Comm}
		p.threads[tid] = t
		byNID[task.NSTID] = t
	}
	addresses, _ := r.ThreadList()
	for _, at := range addresses {
		nid := int(r.I32(r.U64(at+r.Thread.OSThread) + r.Thread.NativeID))
		t := byNID[nid]
		if t == nil {
			continue
		}
		header := &thread.Thread{Address: at}
		named := object.Steady(&r.Reader.Reader, func() string {
			r.ReadHeader(header)
			r.ReadObject(header)
			return header.Name
		})
		t.address, t.stackHigh = at, header.StackHigh
		if named != "" {
			t.name, t.java = named, true
		}
	}
}
