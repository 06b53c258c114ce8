package com.acme.reports;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/** Counts a run of the report for each region. */
public class TotalsReport implements Job {
    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        DataSource dataSource = (DataSource) context.getMergedJobDataMap().get(ReportApp.DATA_SOURCE);
        try (Connection connection = dataSource.getConnection();
                PreparedStatement update = connection.prepareStatement("update totals set runs = runs + 1 where region = ?")) {
            for (String region : new String[] {"north", "south"}) {
                update.setString(1, region);
                update.executeUpdate();
            }
        } catch (SQLException e) {
            throw new JobExecutionException("report failed", e);
        }
    }
}
