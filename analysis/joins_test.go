package analysis

func asleepIn(frames ...string) part {
	return parkedIn("", append([]string{"!java.lang.Thread.sleep"}, frames...)...)
}
