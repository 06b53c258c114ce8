import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Quartz. The fault: the jobs on all workers wait for a latch that nobody opens. */
public class Main {
    public static class Print implements Job {
        static final CountDownLatch PAPER = new CountDownLatch(1);

        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            if (context.getMergedJobDataMap().getBoolean("paper")) {
                feed();
            }
        }

        private void feed() throws JobExecutionException {
            try {
                PAPER.await();
            } catch (InterruptedException e) {
                throw new JobExecutionException(e);
            }
        }
    }

    static void schedule(Scheduler scheduler, boolean paper) throws Exception {
        Trigger hourly = TriggerBuilder.newTrigger()
                .withSchedule(SimpleScheduleBuilder.repeatHourlyForever()).startNow().build();
        scheduler.scheduleJob(JobBuilder.newJob(Print.class).usingJobData("paper", paper).build(), hourly);
    }

    public static void main(String[] args) throws Exception {
        Properties settings = new Properties();
        settings.put("org.quartz.scheduler.instanceName", "press");
        settings.put("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        settings.put("org.quartz.threadPool.threadCount", "3");
        settings.put("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        Scheduler scheduler = new StdSchedulerFactory(settings).getScheduler();
        scheduler.start();
        schedule(scheduler, false);
        if (args[0].equals("fault")) {
            for (int i = 0; i < 5; i++) {
                schedule(scheduler, true);
            }
        }
        Thread.sleep(1500);
        System.out.println("READY");
    }
}
