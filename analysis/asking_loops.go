package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// Loop is what a loop does: which methods it calls, and whether it adds, or does more.
type Loop struct {
	Calls            []string
	Counts, Computes bool
	// Swaps tells that it puts an object which it makes of a number in the place of another, if
	// that is one which it makes as well: other than the one there, above 127.
	Swaps bool
}

// Round is what a loop does where it goes through none of those in it; Counted tells that one of these counts.
type Round struct {
	Loop
	Counted bool
}

// asksInLoop is a thread that at least two dumps and half of them show running in a loop which
// does nothing but ask, and perhaps count how often. Once compiled, such a loop shows no call.
//
// One that also does work, in loops within, does nothing but ask if every dump shows it on the way round where it does
// none, giving way.
func (f *facts) asksInLoop(h *history) (spinner, bool) {
	found := spinner{h: h}
	rounds := 0
	for _, s := range h.samples {
		if f.bytecode == nil || s.wait != running {
			continue
		}
		l, fr, round := f.loopThatAsks(s)
		if fr == nil {
			continue
		}
		found.sample, found.asks, found.loop, found.boxes = s, l.asks(fr), l.words(), l.Swaps
		if round {
			rounds++
			found.loop += " on the way round that the dumps show"
		} else {
			found.times++
		}
	}
	if found.times >= spinDumps && 2*found.times >= len(h.samples) {
		return found, true
	}
	found.times += rounds
	return found, found.times > spinDumps && found.times == len(h.samples)
}

// loopThatAsks is what a thread does, as it stands in a frame, and whether it is so on a way round alone; the frame is nil
// if it does more than to ask.
func (f *facts) loopThatAsks(s *Sample) (l Loop, in *threaddump.Frame, round bool) {
	for _, fr := range LoopsIn(s.Stack.Frames) {
		at := LineOf(fr)
		l, known := f.bytecode.Loops[at]
		if known && l.onlyAsks() {
			return l, fr, false
		}
		if r, ok := f.bytecode.Rounds[at]; ok && r.onlyAsks() && f.showsRound(r) {
			return r.Loop, fr, true
		}
		if known || !f.bytecode.Looks[at] {
			break
		}
	}
	return l, nil, false
}

// showsRound reports that the way round is one where one waits, and that dumps would show the thread in the loops that it
// passes, if it were there: a loop that counts is only left by itself in code that was compiled by JDKs up to 9, and
// where Serial or Parallel collects.
func (f *facts) showsRound(r Round) bool {
	if !r.givesWay() {
		return false
	}
	const stripMining = 10 // the first JDK that stops in such loops, for collectors that want it
	if !r.Counted {
		return true
	}
	_, last, ok := f.counted()
	return ok && majorOf(f.last().version) >= stripMining && (last.Collector == "G1" || isConcurrent(last.Collector))
}

// givesWay reports that a loop calls what is only called where one waits.
func (l Loop) givesWay() bool {
	return slices.Contains(l.Calls, "java.lang.Thread.onSpinWait") || slices.Contains(l.Calls, "java.lang.Thread.yield")
}

// mostLookers is how many methods of the program's own a loop may ask by, each called by the one before.
const mostLookers = 3

// LoopsIn are the frames of the program's own code that run on top of a stack, or ask there
// for something that returns at once, the topmost first and those that called it; none if it does something else.
func LoopsIn(stack []*threaddump.Frame) []*threaddump.Frame {
	for i, fr := range stack {
		if isJDK(fr) && (i == 0 && fr.Native || isAskingCall(fr.Name())) {
			continue
		}
		own := stack[i:min(len(stack), i+1+mostLookers)]
		other := slices.IndexFunc(own, func(fr *threaddump.Frame) bool {
			return CodeOf(fr) != CodeApplication || fr.Native || fr.Line <= 0
		})
		if other >= 0 {
			own = own[:other]
		}
		return own
	}
	return nil
}

// onlyAsks reports that a loop calls asking methods alone, or nothing: then it looks at a field.
// What one computes that puts an object of a number in the place of another is the new number.
func (l Loop) onlyAsks() bool {
	if l.Computes && !l.Swaps || l.Counts && len(l.Calls) == 0 {
		return false
	}
	return !slices.ContainsFunc(l.Calls, func(call string) bool {
		asks := isAskingCall(call) || l.Swaps && slices.Contains(boxing, call)
		return !asks || l.Counts && bringsMore(call)
	})
}

// bringsMore tells calls whose results a loop that adds may well add up: elements of arrays and
// of queues.
func bringsMore(call string) bool {
	return strings.Contains(call, "Array.") || strings.HasSuffix(call, ".poll")
}

// beside are calls without any effect that loops make to be able to ask, boxing those by which
// they make objects of numbers.
var (
	beside = []string{"java.lang.Thread.currentThread", "java.lang.Boolean.booleanValue", "java.lang.Integer.intValue", "java.lang.Long.longValue"}
	boxing = []string{"java.lang.Integer.valueOf", "java.lang.Long.valueOf"}
)

func isAskingCall(call string) bool {
	dot := strings.LastIndexByte(call, '.')
	if dot < 0 {
		return false
	}
	return slices.Contains(beside, call) || isAsking(&threaddump.Frame{Class: call[:dot], Method: call[dot+1:]})
}

// words tell what a loop that only asks does.
func (l Loop) words() string {
	if len(l.Calls) == 0 {
		return "by its class file the loop looks at a field, and does nothing else"
	}
	return "by its class file the loop calls " + shortNames(l.Calls) + ", and nothing else"
}

// asks is what a loop that only asks calls, else the method that it is in.
func (l Loop) asks(in *threaddump.Frame) string {
	for _, call := range l.Calls {
		if !slices.Contains(beside, call) && !slices.Contains(boxing, call) && call != "java.lang.Thread.onSpinWait" {
			return call
		}
	}
	return in.Name()
}
